/** '1,204' */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** '1 widget', '2 widgets' */
export function counted(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? '' : 's'}`;
}
