import { fileURLToPath } from 'node:url';
import type { Latchkey, MembershipRule } from '@latchkey/express';
import { sandboxScenario } from '@latchkey/sandbox';
import { type Request, type RequestHandler, Router } from 'express';
import { type Html, html } from '../html.js';
import { LESSONS, type Lesson } from '../lessons.js';
import { requireOwnPage } from '../serving.js';
import { planCard } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

const { community, products } = sandboxScenario;

/** Opens the course: a membership of the community, or the product. */
const READERS: MembershipRule = {
  any: [{ communityId: community.id }, { productId: products.roastingCourse.id }],
};

/** Folder outside of every public one. The gate alone serves it. */
const MEDIA = fileURLToPath(new URL('../../members/course', import.meta.url));

interface CourseNeeds {
  readonly auth: Latchkey;
  readonly shopUrl: string;
  frame(request: Request, title: string): PageFrame;
  /** Returns thanks for a payment of the last minutes. */
  welcome(request: Request): Promise<Html>;
}

interface Course {
  readonly router: Router;
  /** Returns the number of lessons that a user has finished. */
  finishedBy(sub: string | undefined): number;
}

/** Serves the course: the list of lessons, the lessons, and the gated video. */
export function courseRoutes(needs: CourseNeeds): Course {
  const { auth, frame } = needs;
  const progress = new LessonProgress();
  const router = Router();
  router.use('/course/media', auth.gatedFiles(MEDIA, READERS));
  router.get('/course', auth.locals(), (request, response) => {
    const mayRead = response.locals.latchkey?.has(READERS) ?? false;
    const finished = progress.of(request.latchkey?.user?.sub);
    response
      .set('Cache-Control', 'no-store')
      .send(coursePage(frame(request, 'The roast'), { mayRead, finished }));
  });
  for (const lesson of LESSONS) {
    const path = `/course/${lesson.slug}`;
    const show = showLesson(needs, lesson, progress);
    if (lesson.isFree) router.get(path, show);
    else router.get(path, lessonGate(needs, lesson), show);
    router.post(`${path}/finish`, requireOwnPage(needs.shopUrl), finishLesson(lesson, progress));
  }
  return { router, finishedBy: (sub) => progress.of(sub).size };
}

function showLesson(
  { frame, welcome }: CourseNeeds,
  lesson: Lesson,
  progress: LessonProgress,
): RequestHandler {
  return async (request, response) => {
    const sub = request.latchkey?.user?.sub;
    const isDone = sub === undefined ? undefined : progress.of(sub).has(lesson.slug);
    const page = lessonPage(frame(request, lesson.title), lesson, {
      isDone,
      welcome: await welcome(request),
    });
    response.set('Cache-Control', 'no-store').send(page);
  };
}

/** Sends the beginning of the lesson to everybody who may not read it. */
function lessonGate({ auth, frame }: CourseNeeds, lesson: Lesson) {
  return auth.requireMembership(READERS, {
    teaser: (request, response, { signInUrl, user }) => {
      // A preview for search engines and visitors. Whoever is signed in is refused.
      if (user !== undefined) response.status(403);
      const details = { email: user?.email, signInUrl };
      response.send(lockedLessonPage(frame(request, lesson.title), lesson, details));
    },
  });
}

function finishLesson({ slug, isFree }: Lesson, progress: LessonProgress): RequestHandler {
  return async (request, response) => {
    const session = request.latchkey;
    const sub = session?.user?.sub;
    const mayFinish = sub !== undefined && (isFree || (await session?.has(READERS)));
    if (mayFinish) progress.finish(sub, slug);
    response.redirect(303, `/course/${slug}`);
  };
}

/** Maximum number of users whose progress is kept. */
const MAX_USERS = 1_000;

/** Finished lessons by user, in memory. A real shop stores them in its database, under the same key. */
class LessonProgress {
  readonly #finished = new Map<string, Set<string>>();

  /** @param sub `user.sub` of the session: the stable id of a user. The email address can change. */
  of(sub: string | undefined): ReadonlySet<string> {
    return (sub !== undefined && this.#finished.get(sub)) || new Set();
  }

  finish(sub: string, slug: string): void {
    const finished = this.#finished.get(sub) ?? new Set();
    finished.add(slug);
    this.#finished.delete(sub);
    this.#finished.set(sub, finished);
    const oldest = this.#finished.keys().next().value;
    if (this.#finished.size > MAX_USERS && oldest !== undefined) this.#finished.delete(oldest);
  }
}

const { roastingCourse } = sandboxScenario.products;

/** The list of lessons. */
function coursePage(
  frame: PageFrame,
  { mayRead, finished }: { mayRead: boolean; finished: ReadonlySet<string> },
): string {
  return shopLayout(
    frame,
    html`      <div class="page-head">
        <div class="wrap">
          <p class="greeting">${mayRead ? `${finished.size} of ${LESSONS.length} lessons done` : 'The first lesson is free'}</p>
          <h1>The roast</h1>
          <p class="lede">Four lessons about ten minutes: from the fire to the cup. For members of the Roaster’s Table, and for owners of “${roastingCourse.name}”.</p>
        </div>
      </div>
      <section class="section" aria-labelledby="lessons-title">
        <div class="wrap ${mayRead ? '' : 'columns'}">
          <div>
            <h2 class="visually-hidden" id="lessons-title">Lessons</h2>
            <ol class="lessons">
              ${LESSONS.map((lesson, index) => lessonRow(lesson, { number: index + 1, mayRead, isDone: finished.has(lesson.slug) }))}
            </ol>
          </div>
          ${mayRead ? '' : planCard('/course')}
        </div>
      </section>`,
  );
}

function lessonRow(
  { slug, title, minutes, teaser, isFree, video }: Lesson,
  { number, mayRead, isDone }: { number: number; mayRead: boolean; isDone: boolean },
): Html {
  const isOpen = isFree || mayRead;
  return html`<li class="lesson-row">
                <span class="lesson-number" aria-hidden="true">${number}</span>
                <div>
                  <h3><a href="/course/${slug}">${title}</a></h3>
                  <p>${teaser}</p>
                  <p class="fact">${minutes} minutes${video === undefined ? '' : ', with a video'}</p>
                </div>
                <span class="badge ${isOpen ? '' : 'badge-locked'}">${isDone ? 'Done' : isFree ? 'Free' : isOpen ? 'Open' : 'For members'}</span>
              </li>`;
}

/** A lesson that its reader may read. */
function lessonPage(
  frame: PageFrame,
  lesson: Lesson,
  { isDone, welcome = html`` }: { isDone: boolean | undefined; welcome?: Html },
): string {
  const { slug, paragraphs, video } = lesson;
  return lessonLayout(
    frame,
    lesson,
    html`${welcome}
          ${video === undefined ? '' : player(video)}
          <div class="prose">
            ${paragraphs.map((text) => html`<p>${text}</p>`)}
          </div>
          ${isDone === undefined ? '' : isDone ? html`<p class="done" role="status">You have finished this lesson.</p>` : finishForm(slug)}`,
  );
}

/** The video and its captions. Only the gated folder has the files, and the poster is a public picture. */
function player(video: string): Html {
  return html`<video class="player" controls playsinline preload="metadata" width="960" height="540" poster="/assets/${video}.jpg" aria-label="Lot 31 in the drum: the roast curve and the beans, ten minutes in twenty seconds">
            <source src="/course/media/${video}.webm" type="video/webm">
            <track kind="captions" src="/course/media/${video}.vtt" srclang="en" label="English" default>
          </video>`;
}

function finishForm(slug: string): Html {
  return html`<form method="post" action="/course/${slug}/finish"><button class="button" type="submit">Mark as done</button></form>`;
}

/** The beginning of a lesson for everybody else: what is missing, and the plan to buy. */
function lockedLessonPage(
  frame: PageFrame,
  lesson: Lesson,
  { email, signInUrl }: { email: string | null | undefined; signInUrl: string },
): string {
  const { slug, video } = lesson;
  const who =
    email === undefined
      ? html`Already a member? <a href="${signInUrl}">Sign in to read on</a>.`
      : html`You are signed in${email === null ? '' : html` as <strong><bdi>${email}</bdi></strong>`}. This account has no active membership of the Roaster’s Table, and does not own “${roastingCourse.name}”.`;
  return lessonLayout(
    frame,
    lesson,
    html`<div class="locked-lesson">
            <div class="stack">
            ${video === undefined ? '' : html`<img class="player" src="/assets/${video}.jpg" width="960" height="540" alt="Last frame of the video: the finished roast curve, and chestnut-brown beans in the drum">`}
            <div class="card">
              <h2>The rest is for members</h2>
              <p>${video === undefined ? 'The text of this lesson stays' : 'The video and the text of this lesson stay'} at the shop’s server until a membership opens it.</p>
              <p>${who}</p>
              <p>Only want the course? <a href="${frame.places.serviceUrl}/products/${roastingCourse.id}">Buy “${roastingCourse.name}” for <bdi>€${roastingCourse.priceMinor / 100}</bdi></a>, once.</p>
            </div>
            </div>
            ${planCard(`/course/${slug}`)}
          </div>`,
  );
}

function lessonLayout(frame: PageFrame, { slug, title, minutes, teaser }: Lesson, content: Html): string {
  const index = LESSONS.findIndex((lesson) => lesson.slug === slug);
  const next = LESSONS[index + 1];
  return shopLayout(
    frame,
    html`      <div class="page-head">
        <div class="wrap">
          <p class="greeting"><a href="/course">The roast</a>, lesson ${index + 1} of ${LESSONS.length}, ${minutes} minutes</p>
          <h1>${title}</h1>
          <p class="lede">${teaser}</p>
        </div>
      </div>
      <div class="section">
        <div class="wrap lesson">
          ${content}
          <nav class="lesson-steps" aria-label="Lessons">
            <a href="/course">All lessons</a>
            ${next === undefined ? '' : html`<a href="/course/${next.slug}">Next: ${next.title}</a>`}
          </nav>
        </div>
      </div>`,
  );
}
