import { onDemand } from './onDemand.ts';
import type { DialogProps } from './panels/DialogPanel.tsx';

const panels = onDemand(() => import('./panels/DialogPanel.tsx'));

/** A window with something to fill in or to choose. Closed, it keeps nothing. */
export function Dialog(props: DialogProps) {
  const loaded = panels.usePart(props.open);
  return loaded && <loaded.DialogPanel {...props} />;
}

/** A window with a few choices; on phones it comes up from the bottom, in reach of the thumb. */
export function Sheet(props: DialogProps) {
  const loaded = panels.usePart(props.open);
  return loaded && <loaded.SheetPanel {...props} />;
}

/** A panel at the right edge, over the screen. */
export function SidePanel(props: DialogProps) {
  const loaded = panels.usePart(props.open);
  return loaded && <loaded.SidePanelPanel {...props} />;
}
