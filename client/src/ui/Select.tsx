import { type KeyboardEvent, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { useControl } from './Field.tsx';
import { onDemand } from './onDemand.ts';
import { SELECT_LOOK, SelectFace, type SelectProps } from './panels/SelectFace.tsx';

const panel = onDemand(() => import('./panels/SelectPanel.tsx'));

/** One of a few. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const [open, setOpen] = useState(false);
  const [reached, setReached] = useState(false);
  const loaded = panel.usePart(reached);
  const control = useControl();
  if (reached && loaded) return <loaded.SelectPanel {...props} open={open} onOpenChange={setOpen} />;
  const reach = () => {
    setReached(true);
    setOpen(true);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    reach();
  };
  return (
    <button
      {...control}
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      {...(props.label && { 'aria-label': props.label })}
      disabled={props.disabled}
      onPointerEnter={panel.load}
      onFocus={panel.load}
      onClick={reach}
      onKeyDown={press}
      className={cx(SELECT_LOOK, props.className)}
    >
      <SelectFace {...props} />
    </button>
  );
}
