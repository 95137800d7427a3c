import { ArrowDown, ArrowUp, CircleAlert, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  CONSENT_TEXT_MAX_LENGTH,
  type Consent,
  PRE_CHAT_LABEL_MAX_LENGTH,
  PRE_CHAT_OPTIONS_MAX,
  PRIVACY_URL_MAX_LENGTH,
  type PreChat,
  type PreChatField,
} from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import { ADD_KIND, fieldName, fieldsOf, isNamed, KIND_NAMES, kindsToAdd, moved, newField } from './preChat.ts';

interface PreChatFieldsProps {
  value: PreChatField[];
  preChat: PreChat;
  onChange: (fields: PreChatField[]) => void;
  error: string | undefined;
}

/** What the form before the chat asks for. The order is changed with buttons, so that it needs no mouse. */
export function PreChatFields({ value, preChat, onChange, error }: PreChatFieldsProps) {
  const fields = fieldsOf(value, preChat);
  const { list, said, follow } = useMoves();

  function move(from: number, to: number): void {
    const field = fields[from];
    if (!field || to < 0 || to >= fields.length) return;
    onChange(moved(fields, from, to));
    follow(
      to,
      to < from ? 'up' : 'down',
      t('{name} is now {at} of {all}', { name: fieldName(field), at: to + 1, all: fields.length }),
    );
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="pb-1.5 font-medium">{t('Fields of the form')}</legend>
      <ol ref={list} className="divide-y rounded-card border bg-surface">
        {fields.map((field, at) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is nothing but its place; its name changes while it is typed
            key={at}
            at={at}
            count={fields.length}
            field={field}
            onChange={(changed) => onChange(fields.with(at, changed))}
            onMove={(to) => move(at, to)}
            onRemove={() => onChange(fields.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      <Problem text={error} />
      <div className="flex flex-wrap gap-2">
        {kindsToAdd(fields).map((kind) => (
          <Button
            key={kind}
            type="button"
            variant="secondary"
            size="sm"
            aria-label={t(ADD_KIND[kind])}
            onClick={() => onChange([...fields, newField(kind)])}
          >
            <Plus size={14} aria-hidden />
            {t(KIND_NAMES[kind])}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

interface RowProps {
  at: number;
  count: number;
  field: PreChatField;
  onChange: (field: PreChatField) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function Row({ at, count, field, onChange, onMove, onRemove }: RowProps) {
  const { kind, label, required, options } = field;
  const name = fieldName(field);
  return (
    <li className="flex flex-col gap-3 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="w-20 shrink-0 text-xs font-medium text-muted max-sm:flex-1">{t(KIND_NAMES[kind])}</span>
        <Input
          aria-label={t('Label of {name}, field {place}', { name, place: at + 1 })}
          value={label}
          maxLength={PRE_CHAT_LABEL_MAX_LENGTH}
          placeholder={
            isNamed(field) ? t('{kind}, in the visitor’s language', { kind: t(KIND_NAMES[kind]) }) : t('Label')
          }
          onChange={({ target }) => onChange({ ...field, label: target.value })}
          className="flex-1 max-sm:order-last max-sm:basis-full"
        />
        <span className="flex">
          <IconButton
            label={t('Move {name} up', { name })}
            size="sm"
            data-move={`${at} up`}
            disabled={at === 0}
            onClick={() => onMove(at - 1)}
          >
            <ArrowUp size={16} aria-hidden />
          </IconButton>
          <IconButton
            label={t('Move {name} down', { name })}
            size="sm"
            data-move={`${at} down`}
            disabled={at === count - 1}
            onClick={() => onMove(at + 1)}
          >
            <ArrowDown size={16} aria-hidden />
          </IconButton>
          <IconButton label={t('Remove {name}', { name })} size="sm" disabled={count === 1} onClick={onRemove}>
            <X size={16} aria-hidden />
          </IconButton>
        </span>
      </div>
      {options && (
        <Field label={t('Answers')} hint={t('One per line, up to {max}.', { max: PRE_CHAT_OPTIONS_MAX })}>
          <Textarea
            value={options.join('\n')}
            onChange={({ target }) => onChange({ ...field, options: target.value.split('\n') })}
          />
        </Field>
      )}
      <Checkbox
        label={t('Required')}
        aria-label={t('{name} is required', { name })}
        checked={required}
        onChange={({ target }) => onChange({ ...field, required: target.checked })}
      />
    </li>
  );
}

/** Lets the focus follow a field that was moved, and says where it is. */
function useMoves() {
  const list = useRef<HTMLOListElement>(null);
  const target = useRef<[at: number, way: 'up' | 'down'] | null>(null);
  const [said, say] = useState('');
  useEffect(() => {
    if (!target.current) return;
    const [at, way] = target.current;
    target.current = null;
    const button = (to: string) => list.current?.querySelector<HTMLButtonElement>(`[data-move="${at} ${to}"]:enabled`);
    (button(way) ?? button(way === 'up' ? 'down' : 'up'))?.focus();
  });
  return {
    list,
    said,
    follow(at: number, way: 'up' | 'down', sentence: string) {
      target.current = [at, way];
      say(sentence);
    },
  };
}

interface ConsentFieldProps {
  value: Consent | null;
  onChange: (consent: Consent | null) => void;
  error: string | undefined;
}

/** The line that visitors must agree to. */
export function ConsentField({ value, onChange, error }: ConsentFieldProps) {
  const last = useRef(value);
  if (value) last.current = value;
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        label={t('Ask for consent')}
        hint={t('The forms of the widget, also the one while you are offline, have a box that visitors must tick.')}
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? (last.current ?? { text: '', url: null }) : null)}
      />
      {value && (
        <div className="flex flex-col gap-4 sm:ps-7">
          <Field label={t('What visitors agree to')}>
            <Input
              value={value.text}
              maxLength={CONSENT_TEXT_MAX_LENGTH}
              placeholder={t('I agree that my data is stored to answer me.')}
              onChange={({ target }) => onChange({ ...value, text: target.value })}
            />
          </Field>
          <Field label={t('Link of the consent')} hint={t('Begins with https://. Leave it empty for none.')}>
            <Input
              type="url"
              value={value.url ?? ''}
              maxLength={PRIVACY_URL_MAX_LENGTH}
              autoComplete="off"
              placeholder="https://example.com/privacy"
              onChange={({ target }) => onChange({ ...value, url: target.value || null })}
            />
          </Field>
          <Problem text={error} />
        </div>
      )}
    </div>
  );
}

function Problem({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="flex items-start gap-1.5 text-xs font-medium text-danger">
      <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />
      {text}
    </p>
  );
}
