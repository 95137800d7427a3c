import type { FlowButton, FlowTarget } from 'server/contract';
import type { FlowTargets } from './flowTargets.ts';

/** What all levels and rows of the tree share. */
export interface FlowEditing {
  /** The id of the button that is edited; null: none. */
  open: string | null;
  onOpen: (id: string | null) => void;
  /** Somebody has tried to save: what is wrong shows. */
  checked: boolean;
  disabled: boolean;
  targets: FlowTargets;
  /** How many buttons the site has, over all levels. */
  total: number;
  onChange: (button: FlowButton) => void;
  onKind: (button: FlowButton, kind: FlowTarget['kind']) => void;
  onMove: (id: string, step: -1 | 1) => void;
  onRemove: (id: string) => void;
  /** @param parent the button that the new one follows; null: it is one of the first */
  onAdd: (parent: string | null) => void;
}
