import {
  GREETING_DELAY_MAX_S,
  GREETING_PAGE_MAX_LENGTH,
  GREETING_TEXT_MAX_LENGTH,
  type Greeting,
  type GreetingVisits,
} from 'server/contract';
import { msg, t } from '../../../lib/i18n.ts';
import { translated } from '../../../shared/translated.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { greetingProblems } from './greetingList.ts';

const VISITS: { value: GreetingVisits; label: string }[] = [
  { value: 'all', label: msg('Everybody') },
  { value: 'first', label: msg('First visit') },
  { value: 'returning', label: msg('Returning visitors') },
];

interface GreetingFieldsProps {
  greeting: Greeting;
  onChange: (greeting: Greeting) => void;
  /** Somebody has tried to save: what is wrong shows. */
  checked: boolean;
  disabled: boolean;
}

/** What a greeting says, and when. */
export function GreetingFields({ greeting, onChange, checked, disabled }: GreetingFieldsProps) {
  const { text, page, after, visits, whileOnline, oncePerVisitor } = greeting;
  const set = (change: Partial<Greeting>) => onChange({ ...greeting, ...change });
  const wrong = checked ? greetingProblems(greeting) : {};
  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-5">
      <Field
        label={t('Text of the greeting')}
        error={wrong.text}
        hint={t('{length} of {max} characters', { length: text.length, max: GREETING_TEXT_MAX_LENGTH })}
      >
        <Textarea
          dir="auto"
          value={text}
          onChange={({ target }) => set({ text: target.value })}
          maxLength={GREETING_TEXT_MAX_LENGTH}
          placeholder={t('Hello! Can I help you to choose?')}
        />
      </Field>
      <Field label={t('Page address contains')} hint={t('Leave it empty for every page.')}>
        <Input
          dir="ltr"
          value={page}
          onChange={({ target }) => set({ page: target.value })}
          maxLength={GREETING_PAGE_MAX_LENGTH}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="/pricing"
        />
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label={t('After (seconds on the page)')} error={wrong.after}>
          <Input
            type="number"
            min={0}
            max={GREETING_DELAY_MAX_S}
            value={Number.isNaN(after) ? '' : after}
            onChange={({ target }) => set({ after: target.valueAsNumber })}
          />
        </Field>
        <Field label={t('For')}>
          <Select
            value={visits}
            onValueChange={(value) => set({ visits: value })}
            options={translated(VISITS)}
            disabled={disabled}
          />
        </Field>
      </div>
      <Checkbox
        label={t('Only while somebody is online')}
        checked={whileOnline}
        onChange={({ target }) => set({ whileOnline: target.checked })}
      />
      <Checkbox
        label={t('Once per visitor')}
        hint={t('Otherwise it shows once in each visit.')}
        checked={oncePerVisitor}
        onChange={({ target }) => set({ oncePerVisitor: target.checked })}
      />
    </fieldset>
  );
}
