import type { ChatContext } from '../chat/context.ts';

type Name = 'opening' | 'departments' | 'flows' | 'typing';

/** Draws the parts that few sites need, each once it was due. @returns call it after every change */
export function createDrawings(context: ChatContext): () => void {
  const { language, loadPart, store } = context;
  const drawings: Partial<Record<Name, Promise<() => void>>> = {};

  /** If the part cannot be loaded, the next change tries again. */
  function draw(name: Name, isDue: unknown): void {
    if (isDue)
      drawings[name] ??= Promise.all([loadPart(`more-${language.name}`), loadPart(name)]).then(
        ([{ more }, { start }]) => start(context, more),
      );
    drawings[name]?.then(
      (render) => render(),
      () => {
        delete drawings[name];
        if (name === 'flows' && store.state.taps) store.set({ taps: false });
      },
    );
  }

  return () => {
    const { opensAt, departments, buttons, typingPreview } = store.state.config;
    draw('opening', opensAt);
    draw('departments', departments);
    draw('flows', buttons);
    draw('typing', typingPreview);
  };
}
