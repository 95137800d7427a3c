/** The `keyCode` of a key that is handled by an input method. */
const IME_KEY_CODE = 229;

/** Whether an input method (IME) handles the key. In Safari, `isComposing` is false for the Enter that ends the composition. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === IME_KEY_CODE;
}
