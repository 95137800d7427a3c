import { Slot } from 'radix-ui';
import { createContext, type ReactElement, type ReactNode, useContext, useState } from 'react';
import { onDemand } from './onDemand.ts';
import type { MenuItemProps } from './panels/MenuPanel.tsx';

interface DropdownMenuProps {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  /** Its name where the trigger's does not do. */
  label?: string;
}

const panel = onDemand(() => import('./panels/MenuPanel.tsx'));

/** The component of the items, which is loaded with the menu. */
const ItemContext = createContext<((props: MenuItemProps) => ReactNode) | null>(null);

/** A list of things to do, behind a button. */
export function DropdownMenu({ trigger, children, ...rest }: DropdownMenuProps) {
  const [open, setOpen] = useState(false);
  const [reached, setReached] = useState(false);
  const loaded = panel.usePart(reached);
  if (reached && loaded) {
    return (
      <ItemContext value={loaded.PanelItem}>
        <loaded.MenuPanel {...rest} trigger={trigger} open={open} onOpenChange={setOpen}>
          {children}
        </loaded.MenuPanel>
      </ItemContext>
    );
  }
  const reach = () => {
    setReached(true);
    setOpen(true);
  };
  return (
    <Slot.Root
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={panel.load}
      onFocus={panel.load}
      onClick={reach}
    >
      {trigger}
    </Slot.Root>
  );
}

/** One thing to do, in a `DropdownMenu`. */
export function MenuItem(props: MenuItemProps) {
  const Item = useContext(ItemContext);
  return Item && <Item {...props} />;
}
