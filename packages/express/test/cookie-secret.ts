/** Secret of the cookies of every app under test. */
export const COOKIE_SECRET = 'a cookie secret of more than 32 characters';
