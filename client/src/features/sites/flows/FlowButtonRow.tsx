import { ArrowDown, ArrowUp, ChevronDown, CircleAlert, Trash2, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { FLOW_LABEL_MAX_LENGTH, type FlowButton } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input } from '../../../ui/Input.tsx';
import { FlowTargetFields } from './FlowTargetFields.tsx';
import type { FlowEditing } from './flowEditing.ts';
import { type FlowProblem, problemOf } from './flowProblems.ts';
import { brokenText, targetText } from './flowTargets.ts';
import { line } from './flowTree.ts';

interface FlowButtonRowProps {
  button: FlowButton;
  /** The buttons beside it, with itself. */
  level: readonly FlowButton[];
  /** From 1. */
  depth: number;
  flow: FlowEditing;
}

/** A button with where it leads, and its fields while it is the one that is edited. */
export function FlowButtonRow({ button, level, depth, flow }: FlowButtonRowProps) {
  const { id, target } = button;
  const fields = useId();
  const place = level.findIndex((each) => each.id === id) + 1;
  const name = line(button.label) || t('New button {place}', { place });
  const isOpen = flow.open === id;
  const problem = flow.checked ? problemOf(button, level) : null;
  const broken = brokenText(target, flow.targets);
  return (
    <div className="min-w-0 rounded-card border bg-surface">
      <div className="flex items-center gap-2 py-2 ps-3 pe-2">
        <button
          type="button"
          data-part="edit"
          aria-expanded={isOpen}
          aria-controls={fields}
          onClick={() => flow.onOpen(isOpen ? null : id)}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-small text-start"
        >
          <ChevronDown size={16} aria-hidden className={cx('shrink-0 text-muted', isOpen && 'rotate-180')} />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate font-medium">
              {name}
            </span>
            <span
              className={cx('block truncate text-xs text-muted', target.kind === 'link' && target.url && 'address')}
            >
              {targetText(target, flow.targets)}
            </span>
            {problem && !isOpen && <Mark tone="danger" text={problem.label ?? problem.target ?? ''} />}
            {broken && <Mark tone="waiting" text={broken} />}
          </span>
        </button>
        {!flow.disabled && (
          <RowButtons {...{ name, id, flow, isOpen }} isFirst={place === 1} isLast={place === level.length} />
        )}
      </div>
      <div id={fields} hidden={!isOpen} className="border-t p-3 sm:p-4">
        {isOpen && <RowFields {...{ button, depth, flow, problem }} />}
      </div>
    </div>
  );
}

interface RowButtonsProps {
  name: string;
  id: string;
  flow: FlowEditing;
  isOpen: boolean;
  isFirst: boolean;
  isLast: boolean;
}

/** On phones only those of the button that is edited: the names of the others need the width. */
function RowButtons({ name, id, flow, isOpen, isFirst, isLast }: RowButtonsProps) {
  return (
    <span className={cx('flex shrink-0', !isOpen && 'max-sm:hidden')}>
      <IconButton
        label={t('Move {name} up', { name })}
        data-part="up"
        size="sm"
        isForTouch
        disabled={isFirst}
        onClick={() => flow.onMove(id, -1)}
      >
        <ArrowUp size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={t('Move {name} down', { name })}
        data-part="down"
        size="sm"
        isForTouch
        disabled={isLast}
        onClick={() => flow.onMove(id, 1)}
      >
        <ArrowDown size={16} aria-hidden />
      </IconButton>
      <IconButton
        label={t('Remove {name}', { name })}
        size="sm"
        isForTouch
        tone="danger"
        onClick={() => flow.onRemove(id)}
      >
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </span>
  );
}

interface RowFieldsProps extends Omit<FlowButtonRowProps, 'level'> {
  problem: FlowProblem | null;
}

function RowFields({ button, depth, flow, problem }: RowFieldsProps) {
  const { label, target } = button;
  return (
    <fieldset disabled={flow.disabled} className="flex min-w-0 flex-col gap-4">
      <Field
        label={t('Text of the button')}
        hint={t('{length} of {max} characters', { length: label.length, max: FLOW_LABEL_MAX_LENGTH })}
        error={problem?.label}
      >
        <Input
          data-part="label"
          dir="auto"
          value={label}
          maxLength={FLOW_LABEL_MAX_LENGTH}
          placeholder={t('Where is my order?')}
          onChange={({ target: { value } }) => flow.onChange({ ...button, label: value })}
        />
      </Field>
      <FlowTargetFields
        target={target}
        depth={depth}
        targets={flow.targets}
        error={problem?.target}
        onKind={(kind) => flow.onKind(button, kind)}
        onChange={(next) => flow.onChange({ ...button, target: next })}
      />
    </fieldset>
  );
}

function Mark({ tone, text }: { tone: 'danger' | 'waiting'; text: string }) {
  const Icon = tone === 'danger' ? CircleAlert : TriangleAlert;
  return (
    <span
      className={cx(
        'flex items-start gap-1.5 pt-1 text-xs font-medium',
        tone === 'danger' ? 'text-danger' : 'text-waiting',
      )}
    >
      <Icon size={14} aria-hidden className="mt-px shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </span>
  );
}
