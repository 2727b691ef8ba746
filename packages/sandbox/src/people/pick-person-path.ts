/** Path of the form that signs in as a person. */
export const PICK_PERSON_PATH = '/sandbox/sign-in';
