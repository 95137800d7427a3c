import { PenLine, Plus } from 'lucide-react';
import { FLOW_BUTTONS_MAX, type FlowButton } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { FlowButtonRow } from './FlowButtonRow.tsx';
import type { FlowEditing } from './flowEditing.ts';
import { fullText, line } from './flowTree.ts';

interface FlowLevelProps {
  buttons: readonly FlowButton[];
  /** The button that these follow; null: they are the first. */
  parent: FlowButton | null;
  /** From 1. */
  depth: number;
  flow: FlowEditing;
}

/** The buttons that stand together, each with those that follow it. */
export function FlowLevel({ buttons, parent, depth, flow }: FlowLevelProps) {
  const name = parent && (line(parent.label) || t('New button'));
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ol
        aria-label={name === null ? t('Buttons') : t('Buttons after “{name}”', { name })}
        className="flex flex-col gap-2"
      >
        {buttons.map((button) => (
          <li key={button.id} data-flow={button.id} className="min-w-0">
            <FlowButtonRow button={button} level={buttons} depth={depth} flow={flow} />
            {button.target.kind === 'question' && (
              <div className="ms-1.5 mt-2 border-s-2 ps-2.5 sm:ms-5 sm:ps-4">
                <FlowLevel buttons={button.target.buttons} parent={button} depth={depth + 1} flow={flow} />
              </div>
            )}
          </li>
        ))}
        <li className="flex min-h-11 items-center gap-2 rounded-card border border-dashed px-3 py-2 text-muted">
          <PenLine size={16} aria-hidden className="shrink-0" />
          <span className="min-w-0">
            {t('Something else')}
            {parent === null && <span className="block text-xs">{t('Always there: lets visitors write.')}</span>}
          </span>
        </li>
      </ol>
      {!flow.disabled && <AddButton parent={parent?.id ?? null} name={name} buttons={buttons} flow={flow} />}
    </div>
  );
}

interface AddButtonProps {
  parent: string | null;
  name: string | null;
  buttons: readonly FlowButton[];
  flow: FlowEditing;
}

function AddButton({ parent, name, buttons, flow }: AddButtonProps) {
  const full = fullText(buttons, flow.total);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        variant="secondary"
        size="sm"
        className="max-sm:h-11"
        data-add={parent ?? ''}
        disabled={full !== null}
        aria-label={name === null ? undefined : t('Add button after “{name}”', { name })}
        onClick={() => flow.onAdd(parent)}
      >
        <Plus size={14} aria-hidden />
        {t('Add button')}
      </Button>
      <span className="text-xs text-muted tabular-nums">
        {full ?? t('{count} of {max}', { count: buttons.length, max: FLOW_BUTTONS_MAX })}
      </span>
    </div>
  );
}
