import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { direction } from '../lib/i18n.ts';

interface TabItem<Value extends string> {
  value: Value;
  label: string;
  content: ReactNode;
}

interface TabsProps<Value extends string> {
  /** What the tabs divide, for screen readers. */
  label: string;
  items: readonly TabItem<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
}

/** Pages of one screen, one at a time. All stay mounted, so that what was typed in one is still there on the way back. */
export function Tabs<Value extends string>({ label, items, value, onValueChange }: TabsProps<Value>) {
  const choose = (next: string) => {
    const item = items.find((each) => each.value === next);
    if (item) onValueChange(item.value);
  };
  const list = useRef<HTMLDivElement>(null);
  // On a phone the row of tabs is longer than the screen.
  useEffect(() => {
    const active = [...(list.current?.children ?? [])][items.findIndex((item) => item.value === value)];
    active?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [items, value]);
  return (
    <Radix.Root dir={direction()} value={value} onValueChange={choose}>
      <Radix.List ref={list} aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {items.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            className="-mb-px shrink-0 border-b-2 border-transparent px-3 py-2.5 font-medium text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {item.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map((item) => (
        <Radix.Content
          key={item.value}
          value={item.value}
          forceMount
          className="pt-6 focus-visible:outline-offset-4 data-[state=inactive]:hidden"
        >
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
