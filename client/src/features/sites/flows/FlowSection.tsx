import { Controller, useFormContext } from 'react-hook-form';
import { FLOW_BUTTONS_MAX, FLOW_TOTAL_MAX, type Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { FlowEditor } from './FlowEditor.tsx';
import { wrongButton } from './flowProblems.ts';
import { useFlowTargets } from './flowTargets.ts';
import { countOf } from './flowTree.ts';

interface FlowSectionProps {
  site: Site;
  mayEdit: boolean;
  /** The tab is looked at. */
  active: boolean;
}

/** What visitors can tap in place of writing. */
export function FlowSection({ site, mayEdit, active }: FlowSectionProps) {
  const { control, watch } = useFormContext<SiteValues>();
  const count = countOf(watch('settings.buttons'));
  const targets = useFlowTargets(site, active && count > 0);
  return (
    <section aria-labelledby="buttons" className="flex min-w-0 flex-col gap-4">
      <div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 id="buttons" className="text-base font-semibold">
            {t('Buttons')}
          </h2>
          <span className="text-xs text-muted tabular-nums">
            {t('{count} of {max} in all', { count, max: FLOW_TOTAL_MAX })}
          </span>
        </div>
        <p className="pt-0.5 text-muted">
          {t(
            'Visitors tap one in place of writing: its text is sent as their message, and it leads to your team, an article, a page or one more question. Up to {max} at a time.',
            { max: FLOW_BUTTONS_MAX },
          )}
        </p>
      </div>
      <Controller
        control={control}
        name="settings.buttons"
        rules={{ validate: (buttons) => wrongButton(buttons) === undefined || t('A button is not complete') }}
        render={({ field, fieldState }) => (
          <FlowEditor
            buttons={field.value}
            onChange={field.onChange}
            targets={targets}
            error={fieldState.error?.message}
            disabled={!mayEdit}
            fieldRef={field.ref}
          />
        )}
      />
    </section>
  );
}
