import type { UserDoc } from '../auth/model.ts';
import { WIDGET_SETTINGS_DEFAULTS } from '../settings/contract.ts';
import { CUSTOMIZATION_DEFAULTS, type Customization } from './contract.ts';

/**
 * How a new site looks: what the form says, else what its owner chose for all new sites. The form is sent whole, so
 * a default in it is a field that nobody touched.
 */
export function startingLook({ widget = {} }: UserDoc, form: Partial<Customization> = {}): Partial<Customization> {
  const { title, position, primaryColor } = { ...WIDGET_SETTINGS_DEFAULTS, ...widget };
  const chosen: Partial<Customization> = {};
  if (title !== WIDGET_SETTINGS_DEFAULTS.title) chosen.navbarTitle = title;
  if (position !== WIDGET_SETTINGS_DEFAULTS.position) chosen.position = 'left';
  if (primaryColor.toLowerCase() !== WIDGET_SETTINGS_DEFAULTS.primaryColor.toLowerCase())
    chosen.color = primaryColor.toLowerCase();
  const defaults = new Map<string, string>(Object.entries(CUSTOMIZATION_DEFAULTS));
  const touched = Object.entries(form).filter(([name, value]) => value !== defaults.get(name));
  return { ...chosen, ...Object.fromEntries(touched) };
}
