import type { BaseContext } from './context.ts';
import type { Draft } from './storage.ts';

/**
 * Keeps a field and its draft the same, in all tabs. The field outlives neither the chat nor its draft.
 * @param changed is called at once, and after each change
 */
export function bindDraft(
  { signal, storage }: Pick<BaseContext, 'signal' | 'storage'>,
  key: Draft,
  field: { value: string } & EventTarget,
  changed: (draft: string) => void = () => {},
): void {
  function show(): void {
    const text = storage.read(key);
    if (text !== field.value) field.value = text;
    changed(text);
  }
  field.addEventListener('input', () => storage.write(key, field.value));
  // What other keys have is no reason to touch the field: the page may have cleared the browser's storage.
  storage.watch((other) => other === key && show(), signal);
  show();
}
