import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import type { Site, WidgetLanguage } from 'server/contract';
import type { SiteValues } from '../form/siteForm.ts';
import { CustomizationFields } from '../widget/CustomizationFields.tsx';
import { GreetingsSection } from '../widget/GreetingsSection.tsx';
import { SitePreview } from '../widget/SitePreview.tsx';
import { LanguageSwitcher } from './LanguageSwitcher.tsx';
import { TranslationFields } from './TranslationFields.tsx';

interface CustomizationTabProps {
  site: Site;
  mayEdit: boolean;
  /** The tab is looked at. */
  active: boolean;
}

/** How the widget looks and what it says: in the main language, or its texts in another one. */
export function CustomizationTab({ site, mayEdit, active }: CustomizationTabProps) {
  const { watch } = useFormContext<SiteValues>();
  const [chosen, choose] = useState<WidgetLanguage | null>(null);
  // Somebody else may have removed it.
  const language = chosen && watch(`settings.translations.${chosen}`) ? chosen : null;
  return (
    <>
      <LanguageSwitcher language={language} onChange={choose} mayEdit={mayEdit} />
      {language ? (
        <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_auto]">
          <fieldset disabled={!mayEdit} className="min-w-0">
            <TranslationFields key={language} siteId={site._id} language={language} />
          </fieldset>
          {active && <SitePreview site={site} values={watch()} language={language} />}
        </div>
      ) : (
        <>
          <fieldset disabled={!mayEdit} className="min-w-0">
            <CustomizationFields site={site} mayEdit={mayEdit} active={active} />
          </fieldset>
          <GreetingsSection site={site} mayEdit={mayEdit} active={active} />
        </>
      )}
    </>
  );
}
