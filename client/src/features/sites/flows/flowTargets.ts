import type { ArticleEntry, Department, FlowButton, FlowTarget, Site, WidgetConfig } from 'server/contract';
import { titleOf, useArticles, useHelpCenter } from '#features/articles';
import { useDepartments } from '#features/departments';
import { msg, t } from '../../../lib/i18n.ts';
import { isAddress } from './flowProblems.ts';
import { line } from './flowTree.ts';

/** What is called how in the list of what a button can lead to. */
export const KINDS: { value: FlowTarget['kind']; label: string }[] = [
  { value: 'chat', label: msg('The team') },
  { value: 'article', label: msg('A help article') },
  { value: 'department', label: msg('A department') },
  { value: 'link', label: msg('A link') },
  { value: 'question', label: msg('One more question') },
];

/** What buttons of a site can lead to; undefined: not known yet. */
export interface FlowTargets {
  articles: { _id: string; title: string; status: ArticleEntry['status'] }[] | undefined;
  helpEnabled: boolean | undefined;
  departments: Department[] | undefined;
}

/** Loads what buttons can lead to. @param wanted somebody looks at them */
export function useFlowTargets({ _id }: Site, wanted: boolean): FlowTargets {
  const siteId = wanted ? _id : undefined;
  const help = useHelpCenter(siteId).data;
  const articles = useArticles(siteId).data;
  return {
    articles: help && articles?.map((entry) => ({ ...entry, title: titleOf(entry, help.language) || t('Untitled') })),
    helpEnabled: help?.enabled,
    departments: useDepartments(siteId).data,
  };
}

/** What a button of this kind starts with. */
export function newTarget(kind: FlowTarget['kind']): FlowTarget {
  switch (kind) {
    case 'article':
      return { kind, article: '' };
    case 'department':
      return { kind, department: '' };
    case 'link':
      return { kind, url: '' };
    case 'question':
      return { kind, question: '', buttons: [] };
    default:
      return { kind: 'chat' };
  }
}

/** Where a button leads, in words. */
export function targetText(target: FlowTarget, { articles, departments }: Partial<FlowTargets> = {}): string {
  switch (target.kind) {
    case 'article': {
      const article = articles?.find(({ _id }) => _id === target.article);
      return article ? t('Opens “{title}”', { title: article.title }) : t('A help article');
    }
    case 'department': {
      const department = departments?.find(({ _id }) => _id === target.department);
      return department ? t('For {department}', { department: department.name }) : t('A department');
    }
    case 'link':
      return target.url.trim() || t('A link');
    case 'question':
      return line(target.question)
        ? t('Asks “{question}”', { question: line(target.question) })
        : t('One more question');
    default:
      return t('The team answers');
  }
}

/** Why visitors cannot be led where a button leads; null: they can, or it is not known. */
export function brokenText(target: FlowTarget, { articles, departments, helpEnabled }: FlowTargets): string | null {
  if (target.kind === 'article' && target.article !== '' && articles) {
    const article = articles.find(({ _id }) => _id === target.article);
    if (!article) return t('The article was deleted. Until you choose another one, the button leads to the team.');
    if (article.status !== 'published')
      return t('The article is not published. Until it is, the button leads to the team.');
    if (!helpEnabled) return t('The help center is switched off. Until it is on, the button leads to the team.');
  }
  if (target.kind === 'department' && target.department !== '' && departments) {
    const department = departments.find(({ _id }) => _id === target.department);
    if (!department)
      return t('The department was deleted. Until you choose another one, the button leads to the team.');
    if (!department.visible)
      return t('Visitors cannot choose this department. Until they can, the button leads to the team.');
  }
  return null;
}

/** A tree in words, a line for each button. */
export function flowText(buttons: readonly FlowButton[], depth = 0): string {
  return buttons
    .map(({ label, target }) => {
      const own = `${'– '.repeat(depth)}${label} · ${targetText(target)}`;
      return target.kind === 'question' ? [own, flowText(target.buttons, depth + 1)].join('\n') : own;
    })
    .join('\n');
}

/** The buttons as a preview shows them, however much is still missing. It reads no articles. */
export function previewedButtons(buttons: readonly FlowButton[]): NonNullable<WidgetConfig['buttons']> & FlowButton[] {
  return buttons.map(({ id, label, target }) => ({ id, label: line(label) || '…', target: previewed(target) }));
}

function previewed(target: FlowTarget): FlowTarget {
  if (target.kind === 'question')
    return { ...target, question: line(target.question), buttons: previewedButtons(target.buttons) };
  return target.kind === 'link' && isAddress(target.url) ? target : { kind: 'chat' };
}
