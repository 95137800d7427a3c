import { Controller, useFormContext } from 'react-hook-form';
import { SITE_TEXT_MAX_LENGTH, type Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { ColorField } from '../../../ui/ColorField.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import { FlowSection } from '../flows/FlowSection.tsx';
import { SiteField, SiteSelect } from '../form/SiteField.tsx';
import { labelOf, POSITIONS } from '../form/siteFields.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { FormSettings } from './FormSettings.tsx';
import { LauncherFields } from './LauncherFields.tsx';
import { SitePreview } from './SitePreview.tsx';

interface CustomizationFieldsProps {
  site: Site;
  mayEdit: boolean;
  /** The tab is looked at: behind another one nobody needs the widget. */
  active: boolean;
}

/** How the widget looks and what it says, with the widget beside it that follows every key. */
export function CustomizationFields({ site, mayEdit, active }: CustomizationFieldsProps) {
  const { register, watch } = useFormContext<SiteValues>();
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex min-w-0 flex-col gap-6">
        <Controller<SiteValues, 'customization.color'>
          name="customization.color"
          rules={{ pattern: { value: /^#[0-9a-f]{6}$/i, message: t('Enter a color like #0088ff') } }}
          render={({ field: { name, value, onChange }, fieldState }) => (
            <ColorField label={labelOf(name)} value={value} onChange={onChange} error={fieldState.error?.message} />
          )}
        />
        <SiteSelect name="customization.position" options={POSITIONS} />
        <SiteField name="customization.navbarTitle">
          <Input {...register('customization.navbarTitle')} maxLength={SITE_TEXT_MAX_LENGTH} />
        </SiteField>
        <SiteField name="customization.welcomeMessage">
          <Textarea {...register('customization.welcomeMessage')} maxLength={SITE_TEXT_MAX_LENGTH} />
        </SiteField>
        <SiteField name="customization.offlineMessage" hint={t('Shown while nobody on the team is online.')}>
          <Textarea {...register('customization.offlineMessage')} maxLength={SITE_TEXT_MAX_LENGTH} />
        </SiteField>
        <LauncherFields />
        <FormSettings />
        <FlowSection site={site} mayEdit={mayEdit} active={active} />
      </div>
      {active && <SitePreview site={site} values={watch()} />}
    </div>
  );
}
