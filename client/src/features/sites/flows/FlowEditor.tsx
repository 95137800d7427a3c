import { MousePointerClick, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FlowButton, FlowTarget } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { FlowLevel } from './FlowLevel.tsx';
import { wrongButton } from './flowProblems.ts';
import { type FlowTargets, newTarget } from './flowTargets.ts';
import {
  added,
  buttonsAfter,
  countOf,
  exampleButtons,
  line,
  moved,
  newButton,
  placeOf,
  removed,
  replaced,
} from './flowTree.ts';

interface FlowEditorProps {
  buttons: readonly FlowButton[];
  onChange: (buttons: FlowButton[]) => void;
  targets: FlowTargets;
  error: string | undefined;
  disabled: boolean;
  /** Told how to focus what is wrong. */
  fieldRef: (field: { focus: () => void }) => void;
}

/** A button that is about to lose those that follow it. */
interface Loss {
  button: FlowButton;
  /** Where it leads from then on; null: it is removed itself. */
  kind: FlowTarget['kind'] | null;
}

/** The buttons of a site as a tree, one of which is edited at a time. */
export function FlowEditor({ buttons, onChange, targets, error, disabled, fieldRef }: FlowEditorProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const [loss, setLoss] = useState<Loss | null>(null);
  const [spoken, setSpoken] = useState('');
  const { tree, focusNext } = useFocus();
  const wrong = error === undefined ? undefined : wrongButton(buttons);
  const open = wrong && !(editing && placeOf(buttons, editing)) ? wrong.id : editing;

  function add(parent: string | null): void {
    const button = newButton();
    onChange(added(buttons, parent, button));
    setEditing(button.id);
    focusNext(`[data-flow="${button.id}"] [data-part="label"]`);
  }

  function addExamples(): void {
    const examples = exampleButtons();
    onChange(examples);
    focusNext(`[data-flow="${examples[0]?.id}"] [data-part="edit"]`);
  }

  function move(id: string, step: -1 | 1): void {
    const next = moved(buttons, id, step);
    const place = placeOf(next, id);
    onChange(next);
    if (!place) return;
    const { level, at } = place;
    const name = line(level[at]?.label ?? '') || t('New button');
    setSpoken(t('{name} is now {at} of {all}', { name, at: at + 1, all: level.length }));
    const [wanted, other] = step < 0 ? ['up', 'down'] : ['down', 'up'];
    const part = (each = '') => `[data-flow="${id}"] [data-part="${each}"]:enabled`;
    focusNext(part(wanted), part(other));
  }

  function remove(id: string): void {
    const place = placeOf(buttons, id);
    if (!place) return;
    const { level, at, parent } = place;
    const next = level[at + 1] ?? level[at - 1];
    onChange(removed(buttons, id));
    setSpoken(t('Button removed'));
    focusNext(next ? `[data-flow="${next.id}"] [data-part="edit"]` : `[data-add="${parent ?? ''}"]`, '[data-add=""]');
  }

  function ask(button: FlowButton, kind: Loss['kind'], go: () => void): void {
    if (buttonsAfter(button).length > 0) setLoss({ button, kind });
    else go();
  }

  function focusWrong(): void {
    const found = tree.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // Its row may still be closed.
    if (found || wrongButton(buttons) === undefined) (found ?? tree.current)?.focus();
    else focusNext('[aria-invalid="true"]');
  }

  useEffect(() => fieldRef({ focus: focusWrong }));

  const change = (button: FlowButton) => onChange(replaced(buttons, button));
  const lead = (button: FlowButton, kind: FlowTarget['kind']) => change({ ...button, target: newTarget(kind) });

  function lose({ button, kind }: Loss): void {
    if (kind) lead(button, kind);
    else remove(button.id);
    setLoss(null);
  }

  const flow = {
    open,
    onOpen: setEditing,
    checked: wrong !== undefined,
    disabled,
    targets,
    total: countOf(buttons),
    onChange: change,
    onKind: (button: FlowButton, kind: FlowTarget['kind']) =>
      kind !== button.target.kind && ask(button, kind, () => lead(button, kind)),
    onMove: move,
    onRemove(id: string) {
      const place = placeOf(buttons, id);
      const button = place?.level[place.at];
      if (button) ask(button, null, () => remove(id));
    },
    onAdd: add,
  };

  return (
    <div ref={tree} tabIndex={-1} className="relative flex min-w-0 flex-col gap-3">
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {buttons.length === 0 ? (
        <Empty disabled={disabled} onAdd={() => add(null)} onExamples={addExamples} />
      ) : (
        <FlowLevel buttons={buttons} parent={null} depth={1} flow={flow} />
      )}
      {error && !wrong && (
        <p role="alert" className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
      {loss && <LossDialog loss={loss} onConfirm={() => lose(loss)} onClose={() => setLoss(null)} />}
    </div>
  );
}

function Empty({ disabled, onAdd, onExamples }: { disabled: boolean; onAdd: () => void; onExamples: () => void }) {
  return (
    <div className="flex flex-col items-start gap-4 rounded-card border border-dashed px-4 py-5">
      <p className="flex items-start gap-3 text-muted">
        <MousePointerClick size={18} aria-hidden className="mt-px shrink-0" />
        {t('No buttons yet: visitors write. For example “Where is my order?”, “Opening hours” and “Talk to us”.')}
      </p>
      {!disabled && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={onExamples}>
            {t('Add these examples')}
          </Button>
          <Button variant="ghost" data-add="" onClick={onAdd}>
            <Plus size={16} aria-hidden />
            {t('Add button')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface LossDialogProps {
  loss: Loss;
  onConfirm: () => void;
  onClose: () => void;
}

function LossDialog({ loss: { button, kind }, onConfirm, onClose }: LossDialogProps) {
  const name = line(button.label) || t('New button');
  const count = countOf(buttonsAfter(button));
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={kind ? t('Lead “{name}” somewhere else?', { name }) : t('Remove “{name}”?', { name })}
      text={t('The buttons that follow it are removed, too: {count}.', { count })}
      confirmLabel={kind ? t('Remove the buttons') : t('Remove')}
      onConfirm={onConfirm}
    />
  );
}

/** Moves the focus once a change of the tree is shown. */
function useFocus() {
  const tree = useRef<HTMLDivElement>(null);
  const next = useRef<string[]>([]);
  useEffect(() => {
    const wanted = next.current;
    next.current = [];
    for (const selector of wanted) {
      const found = tree.current?.querySelector<HTMLElement>(selector);
      if (found) return found.focus();
    }
  });
  return {
    tree,
    /** @param selectors what gets it: the first that is there */
    focusNext(...selectors: string[]) {
      next.current = selectors;
    },
  };
}
