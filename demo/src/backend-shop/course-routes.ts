import { fileURLToPath } from 'node:url';
import type { Latchkey, MembershipRule } from '@latchkey/express';
import { sandboxScenario } from '@latchkey/sandbox';
import { type Request, type RequestHandler, Router } from 'express';
import { LESSONS, type Lesson } from '../course/lessons.js';
import type { Html } from '../html.js';
import { coursePage, lessonPage, lockedLessonPage } from './course-pages.js';
import { LessonProgress } from './lesson-progress.js';
import { requireOwnPage } from './require-own-page.js';
import type { PageFrame } from './shop-layout.js';

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
