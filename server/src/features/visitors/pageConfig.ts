import type { Request } from 'express';
import { launcherColors } from '#features/sites/launcher/contract';
import type { LoadFailure, WidgetConfig } from './contract.ts';

const ENGLISH: LoadFailure = {
  chat: 'Chat could not be loaded. Try again',
  part: 'This could not be loaded. Try again',
};
/** The sentences in the widget's languages. In `widget.js`, they would cost all the pages that never show them. */
const FAILURES = new Map<string, LoadFailure>([
  ['ar', { chat: 'تعذّر تحميل الدردشة. حاول مرة أخرى', part: 'تعذّر تحميل هذا. حاول مرة أخرى' }],
  [
    'de',
    {
      chat: 'Der Chat konnte nicht geladen werden. Erneut versuchen',
      part: 'Das konnte nicht geladen werden. Erneut versuchen',
    },
  ],
  ['es', { chat: 'No se pudo cargar el chat. Inténtelo de nuevo', part: 'No se pudo cargar. Inténtelo de nuevo' }],
  ['fa', { chat: 'گفتگو بارگیری نشد. دوباره تلاش کنید', part: 'بارگیری نشد. دوباره تلاش کنید' }],
  ['fr', { chat: 'Le chat n’a pas pu être chargé. Réessayer', part: 'Le chargement a échoué. Réessayer' }],
  ['hi', { chat: 'चैट लोड नहीं हो सकी। फिर से कोशिश करें', part: 'यह लोड नहीं हो सका। फिर से कोशिश करें' }],
  [
    'ja',
    {
      chat: 'チャットを読み込めませんでした。もう一度お試しください',
      part: '読み込めませんでした。もう一度お試しください',
    },
  ],
  [
    'pt',
    { chat: 'Não foi possível carregar o chat. Tente novamente', part: 'Não foi possível carregar. Tente novamente' },
  ],
  ['ru', { chat: 'Не удалось загрузить чат. Повторите попытку', part: 'Не удалось загрузить. Повторите попытку' }],
  ['tr', { chat: 'Sohbet yüklenemedi. Tekrar deneyin', part: 'Yüklenemedi. Tekrar deneyin' }],
  ['zh', { chat: '无法加载聊天。请重试', part: '无法加载。请重试' }],
]);
const COLOR = /^#[\da-f]{6}$/i;

/** What is different in the config of one page: its language (`l`, else the browser's), and the colour that its tag asks for (`c`). */
export function pageConfig({ l, c = '' }: { l?: string; c?: string }, req: Request): Partial<WidgetConfig> {
  const [language = ''] = (l || browserLanguage(req)).toLowerCase().split(/[-_]/, 1);
  const failure = l !== undefined && (FAILURES.get(language) ?? ENGLISH);
  return { ...(failure && { failure }), ...(COLOR.test(c) && { colors: launcherColors(c) }) };
}

const browserLanguage = (req: Request) => req.acceptsLanguages(['en', ...FAILURES.keys()]) || 'en';
