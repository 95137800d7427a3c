import { onDemand } from './onDemand.ts';
import type { ConfirmProps } from './panels/AlertPanels.tsx';

const panels = onDemand(() => import('./panels/AlertPanels.tsx'));

/** Asks before something that cannot be taken back. Stays open until the owner closes it. */
export function ConfirmDialog(props: ConfirmProps) {
  const loaded = panels.usePart(props.open);
  return loaded && <loaded.ConfirmPanel {...props} />;
}
