/** A key event, as React or the browser hands it on. */
interface Key {
  isComposing: boolean;
  keyCode: number;
}

/** What browsers give as the code of a key that an input method takes. */
const TAKEN = 229;

/** Whether an input method takes the key: while it composes, and in Safari also the Enter that confirms the word. */
export function isComposing({ isComposing, keyCode }: Key): boolean {
  return isComposing || keyCode === TAKEN;
}
