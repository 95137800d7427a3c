/** Names of a browser and an operating system, to show. */
export interface Device {
  browser: string;
  system: string;
}

// The order matters: most browsers also claim to be Chrome or Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)(?:\.[\d.]*)? (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid (\d+)/, 'Android'],
  [/\biPad\b.*? OS (\d+)/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b.*? OS (\d+)/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Parses a user agent string; `Unknown` where no name is found. */
export function parseUserAgent(userAgent: string): Device {
  return { browser: firstMatch(BROWSERS, userAgent), system: firstMatch(SYSTEMS, userAgent) };
}

function firstMatch(table: readonly [RegExp, string][], userAgent: string): string {
  for (const [pattern, name] of table) {
    const match = pattern.exec(userAgent);
    if (match) return match[1] ? `${name} ${match[1]}` : name;
  }
  return 'Unknown';
}
