import { departmentOf } from '../departments.ts';
import type { SiteDoc } from '../model.ts';
import { siteIn } from '../texts/siteIn.ts';
import { buttonsOf } from './buttons.ts';
import { allButtons, type FlowButton, type FlowTarget, type WidgetButtons } from './contract.ts';

/** The buttons of a site as visitors find them. @param speaks the widget's language @param isReadable whether they can read an article */
export function buttonsForVisitors(
  site: SiteDoc,
  speaks: string | undefined,
  isReadable: (article: string) => boolean,
): WidgetButtons {
  const labels = new Map(allButtons(buttonsOf(site)).map(({ id, label }) => [id, label]));
  const level = (buttons: FlowButton[]): FlowButton[] =>
    buttons.map((button) => ({ ...button, target: reachable(button.target) }));
  const reachable = (target: FlowTarget): FlowTarget => {
    if (target.kind === 'question') return { ...target, buttons: level(target.buttons) };
    if (target.kind === 'article' && !isReadable(target.article)) return { kind: 'chat' };
    if (target.kind === 'department' && !departmentOf(site, target.department)?.visible) return { kind: 'chat' };
    return target;
  };
  const buttons = level(buttonsOf(siteIn(site, speaks)));
  const translated = allButtons(buttons).filter(({ id, label }) => labels.get(id) !== label);
  return { buttons, main: Object.fromEntries(translated.map(({ id }) => [id, labels.get(id) ?? ''])) };
}

/** A number that grows with each change of what the site's buttons show; undefined: there are none. Of articles, widgets ask again. */
export function buttonsVersion(site: SiteDoc): number | undefined {
  return buttonsOf(site).length > 0 ? 1 + (site.rev ?? 0) + (site.departments?.rev ?? 0) : undefined;
}

/** Whether a text is the label, in whichever language, of a button that leads to a question: who sent it is about to tap more. */
export function leadsOn(site: SiteDoc, text: string): boolean {
  const texts = Object.values(site.settings.translations ?? {});
  return allButtons(buttonsOf(site)).some(
    ({ id, label, target }) =>
      target.kind === 'question' && (label === text || texts.some((each) => each?.buttons?.[id]?.label === text)),
  );
}
