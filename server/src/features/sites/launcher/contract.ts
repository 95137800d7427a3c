/** Pixels between the launcher and the edges of the page, unless the site has set others. */
export const LAUNCHER_OFFSET = 20;
export const LAUNCHER_OFFSET_MAX = 200;
export const LAUNCHER_TEXT_MAX_LENGTH = 30;
export const LAUNCHER_PAGES_MAX = 10;
export const LAUNCHER_PAGE_MAX_LENGTH = 100;

/** `pill`: an icon with a text. `round`: the icon only; screen readers hear the text. */
export const LAUNCHER_SHAPES = ['pill', 'round'] as const;
export const LAUNCHER_ICONS = ['logo', 'bubble', 'headset', 'question', 'envelope', 'heart'] as const;
export type LauncherShape = (typeof LAUNCHER_SHAPES)[number];
export type LauncherIcon = (typeof LAUNCHER_ICONS)[number];

/** How the launcher of a site looks, and where it is not shown. */
export interface Launcher {
  shape: LauncherShape;
  icon: LauncherIcon;
  /** Empty: the text in the settings of the owner's account. */
  text: string;
  /** Pixels between the launcher and the side of the page that it is on. */
  side: number;
  /** Pixels between the launcher and the lower edge of the page. */
  bottom: number;
  hideOnPhones: boolean;
  /** Not shown while nobody is online. */
  hideOffline: boolean;
  /** Not shown on pages whose address contains one of these. */
  hideOn: string[];
}

export const LAUNCHER_DEFAULTS: Launcher = {
  shape: 'pill',
  icon: 'logo',
  text: '',
  side: LAUNCHER_OFFSET,
  bottom: LAUNCHER_OFFSET,
  hideOnPhones: false,
  hideOffline: false,
  hideOn: [],
};

/** How a launcher differs from the usual one. */
export interface LauncherLook {
  /** Added to the launcher's style sheet. */
  css: string;
  /** Parts of the addresses of pages without a launcher. */
  hideOn: string[];
}

/** Filled shapes on a grid of 24 units. */
const SHAPES: Record<Exclude<LauncherIcon, 'logo'>, string> = {
  bubble:
    'M12 3C6.5 3 2 6.8 2 11.5c0 2.5 1.3 4.8 3.4 6.3L5 22l4.3-2.3c.9.2 1.8.3 2.7.3 5.5 0 10-3.8 10-8.5S17.5 3 12 3z',
  headset: 'M12 3a8 8 0 0 0-8 8v6a3 3 0 0 0 3 3h2v-8H6v-1a6 6 0 0 1 12 0v1h-3v8h2a3 3 0 0 0 3-3v-6a8 8 0 0 0-8-8z',
  question:
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.2 14.2h2.4v2.4h-2.4zM12 5.8a4 4 0 0 0-4 4h2.3a1.7 1.7 0 1 1 2.6 1.4c-1.2.8-2.1 1.6-2.1 3.6h2.4c0-1 .4-1.5 1.4-2.2A4 4 0 0 0 12 5.8z',
  envelope: 'M3 5h18a1 1 0 0 1 1 1v.6l-10 6-10-6V6a1 1 0 0 1 1-1zM2 9l10 6 10-6v9a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z',
  heart: 'M12 21 3.6 12.7a5.4 5.4 0 0 1 0-7.7 5.4 5.4 0 0 1 7.7 0l.7.7.7-.7a5.4 5.4 0 0 1 7.7 7.7z',
};
/** The launcher of the closed panel, and the teaser above it. */
const CLOSED_PARTS = ':is(.launcher[aria-expanded="false"],.teaser)';
const OPEN = '.launcher[aria-expanded="true"]';
const HIDDEN = '{display:none}';
/** Where the panel covers the whole page. */
const PHONES = '@media (max-width:479px)';

/**
 * What the config of a widget says of its launcher: of the usual one, nothing. The rare wishes of few sites are a style sheet in their config, so that they cost the
 * script on all pages nothing. Every value is a number or one of our own words: nothing that somebody typed gets into it.
 */
export function launcherLook({ shape, icon, side, bottom, hideOnPhones, hideOffline, hideOn }: Launcher): {
  launcher?: LauncherLook;
} {
  const rules = [
    shape === 'round' && '.launcher{padding:0 14px}.label{position:absolute;width:1px;clip-path:inset(50%)}',
    icon !== 'logo' &&
      `.launcher .mark,${OPEN}::before${HIDDEN}.launcher::before{content:"";width:24px;height:24px;flex:none;background:currentcolor;forced-color-adjust:none;clip-path:path(evenodd,"${SHAPES[icon]}")}`,
    (side !== LAUNCHER_OFFSET || bottom !== LAUNCHER_OFFSET) &&
      `.stage{padding:${LAUNCHER_OFFSET}px ${side}px max(${bottom}px,env(safe-area-inset-bottom))}`,
    hideOnPhones && `${PHONES}{${CLOSED_PARTS}${HIDDEN}}`,
    hideOffline && `.online-false ${CLOSED_PARTS}${HIDDEN}`,
    hideOn.length > 0 && `.away-true ${CLOSED_PARTS}${HIDDEN}`,
  ];
  const css = rules.filter(Boolean).join('');
  return css === '' ? {} : { launcher: { css, hideOn } };
}

/** WCAG asks for 4.5 for text; the rest covers the error of the approximated gamma below. */
const CONTRAST_TEXT = 4.7;
/** A colour with less contrast to white counts as light. */
const CONTRAST_LIGHT = 3;
const DARKER = 0.98;
const WHITE = '#fff';
const DARK = '#1d1b18';

type Channels = [red: number, green: number, blue: number];

function contrastWithWhite(channels: Channels): number {
  const [r, g, b] = channels.map((value) => (value / 255) ** 2.2) as Channels;
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

/**
 * The declarations of the colours of surface and text for a widget's colour (`#rrggbb`). Light colours get dark text. On medium
 * ones people expect white text, so these are darkened until white is readable, and no further. Computed here, it costs pages no script.
 */
export function launcherColors(color: string): string {
  const number = Number(`0x${color.slice(1)}`);
  let fill: Channels = [number >> 16, (number >> 8) & 255, number & 255];
  if (contrastWithWhite(fill) < CONTRAST_LIGHT) return `--fill:${color};--ink:${DARK}`;
  while (contrastWithWhite(fill) < CONTRAST_TEXT) fill = fill.map((value) => value * DARKER) as Channels;
  return `--fill:rgb(${fill.map(Math.trunc)});--ink:${WHITE}`;
}
