import { sandboxScenario } from '@latchkey/sandbox';
import { LESSONS, type Lesson } from '../course/lessons.js';
import { type Html, html } from '../html.js';
import { planCard } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

const { roastingCourse } = sandboxScenario.products;

/** The list of lessons. */
export function coursePage(
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
export function lessonPage(
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
export function lockedLessonPage(
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
