import { Slot } from 'radix-ui';
import { useState } from 'react';
import { onDemand } from './onDemand.ts';
import type { PopoverProps } from './panels/PopoverPanel.tsx';

const panel = onDemand(() => import('./panels/PopoverPanel.tsx'));

/** A popover below a button. */
export function Popover(props: PopoverProps) {
  const [reached, setReached] = useState(false);
  const loaded = panel.usePart(reached);
  if (reached && loaded) return <loaded.PopoverPanel {...props} />;
  const reach = () => {
    setReached(true);
    props.onOpenChange(true);
  };
  return (
    <Slot.Root
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={panel.load}
      onFocus={panel.load}
      onClick={reach}
    >
      {props.trigger}
    </Slot.Root>
  );
}
