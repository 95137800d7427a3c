import { useState } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import type { Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { useGreetingFigures } from '../api.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { Greetings } from './Greetings.tsx';
import { wrongGreeting } from './greetingList.ts';
import { SitePreview } from './SitePreview.tsx';

interface GreetingsSectionProps {
  site: Site;
  mayEdit: boolean;
  /** The tab is looked at. */
  active: boolean;
}

/** What the widget says to visitors before they write, with the widget beside it that shows the greeting being edited. */
export function GreetingsSection({ site, mayEdit, active }: GreetingsSectionProps) {
  const { control, watch } = useFormContext<SiteValues>();
  const [editing, setEditing] = useState<string | null>(null);
  const { data: figures } = useGreetingFigures(site._id, active && mayEdit);
  const values = watch();
  const edited = values.settings.greetings.find(({ id }) => id === editing);
  return (
    <section aria-labelledby="greetings" className="mt-8 flex flex-col gap-5 border-t pt-8">
      <div className="max-w-2xl">
        <h2 id="greetings" className="text-base font-semibold">
          {t('Greetings')}
        </h2>
        <p className="pt-0.5 text-muted">
          {t(
            'The widget says them above the chat button to visitors who have not written. Of several that apply, the first one shows. Nothing about a visitor is stored until the visitor answers.',
          )}
        </p>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_auto]">
        <Controller
          control={control}
          name="settings.greetings"
          rules={{ validate: (greetings) => wrongGreeting(greetings) === undefined || t('A greeting is not complete') }}
          render={({ field, fieldState }) => (
            <Greetings
              greetings={field.value}
              onChange={field.onChange}
              figures={figures}
              editing={editing}
              onEdit={setEditing}
              error={fieldState.error?.message}
              disabled={!mayEdit}
            />
          )}
        />
        {active && edited && <SitePreview site={site} values={values} greeting={edited} />}
      </div>
    </section>
  );
}
