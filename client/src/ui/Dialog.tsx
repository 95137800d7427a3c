import { onDemand } from './onDemand.ts';
import type { DialogProps } from './panels/DialogPanel.tsx';

const panels = onDemand(() => import('./panels/DialogPanel.tsx'));

/** A window with something to fill in or to choose. Closed, it keeps nothing. */
export function Dialog(props: DialogProps) {
  const loaded = panels.usePart(props.open);
  return loaded && <loaded.DialogPanel {...props} />;
}

/** A page that comes in over the right edge and leaves the screen behind it as it is. */
export function SidePanel(props: DialogProps) {
  const loaded = panels.usePart(props.open);
  return loaded && <loaded.SidePanelPanel {...props} />;
}
