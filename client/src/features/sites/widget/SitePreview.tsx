import { useState } from 'react';
import {
  CUSTOMIZATION_DEFAULTS,
  type Greeting,
  launcherColors,
  launcherLook,
  type Site,
  WIDGET_SETTINGS_DEFAULTS,
  type WidgetConfig,
  type WidgetLanguage,
  withTexts,
} from 'server/contract';
import { useSettings } from '#features/settings';
import { t } from '../../../lib/i18n.ts';
import { WidgetPreview } from '../../../shared/WidgetPreview.tsx';
import { HEX_COLOR } from '../../../ui/ColorField.tsx';
import { previewedButtons } from '../flows/flowTargets.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { previewedLauncher } from './launcher.ts';
import { consentProblem, tidyConsent, tidyFields } from './preChat.ts';

interface SitePreviewProps {
  site: Site;
  values: SiteValues;
  /** Shown above the closed launcher; left out: the open chat shows. */
  greeting?: Greeting;
  /** Whose texts it shows; left out: the main ones. */
  language?: WidgetLanguage;
}

/** A greeting that shows at once, whatever its rules. */
function atOnce({ id, text }: Greeting): NonNullable<WidgetConfig['greetings']> {
  const rules = { page: '', after: 0, visits: 'all', whileOnline: false, oncePerVisitor: false } as const;
  return [{ id, text: text.trim() || '…', ...rules }];
}

/** The widget itself, as it would be with what stands in the form. */
export function SitePreview({ site, values: { name, ...main }, greeting, language }: SitePreviewProps) {
  const values = withTexts(main, (language && main.settings.translations[language]) || {});
  const [away, setAway] = useState(false);
  const [closed, setClosed] = useState(false);
  const account = useSettings().data?.widget;
  // Of the owner's account; other people's the dashboard does not know.
  const { buttonText, logo } = (site.isOwner && account) || WIDGET_SETTINGS_DEFAULTS;
  const color = HEX_COLOR.test(values.customization.color) ? values.customization.color : CUSTOMIZATION_DEFAULTS.color;
  const launcher = previewedLauncher(values.settings.launcher);
  const config: WidgetConfig = {
    widgetCode: 'preview',
    name,
    customization: { ...values.customization, color },
    preChat: values.settings.preChat,
    ...formOf(values.settings),
    privacyUrl: values.settings.privacyUrl.trim() || null,
    ...launcherLook(launcher),
    colors: launcherColors(color),
    buttonText: launcher.text || buttonText,
    logo,
    online: !away,
    usualReplyMinutes: null,
    mail: true,
    visitorPages: false,
    ...(!greeting && values.settings.buttons.length > 0 && { buttons: previewedButtons(values.settings.buttons) }),
    ...(greeting && { greetings: atOnce(greeting) }),
  };
  return (
    <section
      aria-label={greeting ? t('Preview of the greeting') : t('Preview')}
      className="flex flex-col gap-3 self-start lg:sticky lg:top-6"
    >
      <div className="flex items-center justify-between">
        <h2 className="font-medium">{t('Preview')}</h2>
        {!greeting && (
          <div className="flex gap-4">
            <Toggle pressed={closed} onPress={setClosed} words={[t('Show it closed'), t('Show it open')]} />
            <Toggle pressed={away} onPress={setAway} words={[t('Show it offline'), t('Show it online')]} />
          </div>
        )}
      </div>
      <WidgetPreview
        config={config}
        language={language ?? main.settings.mainLanguage}
        closed={closed}
        low={greeting !== undefined}
      />
      <p className="text-xs text-muted">{t('Open widgets change as soon as you save.')}</p>
    </section>
  );
}

interface ToggleProps {
  pressed: boolean;
  onPress: (pressed: boolean) => void;
  words: [off: string, on: string];
}

function Toggle({ pressed, onPress, words: [off, on] }: ToggleProps) {
  return (
    <button
      type="button"
      onClick={() => onPress(!pressed)}
      className="rounded-small text-xs font-medium text-muted hover:text-text"
    >
      {pressed ? on : off}
    </button>
  );
}

/** What the forms ask for, as far as it can be shown already. */
function formOf({ preChatFields, consent }: SiteValues['settings']): Pick<WidgetConfig, 'preChatFields' | 'consent'> {
  const agree = consentProblem(consent) === null ? tidyConsent(consent) : null;
  return {
    ...(preChatFields.length > 0 && { preChatFields: tidyFields(preChatFields) }),
    ...(agree && { consent: agree }),
  };
}
