/** A part of a note: plain text, or the mention of somebody. */
interface Part<Person> {
  text: string;
  person?: Person;
}

const WORD = /[\p{L}\p{N}]/u;

/** Splits a note at its mentions: an '@' with the name of one of these people. The longest name counts. */
export function splitMentions<Person extends { name: string }>(
  note: string,
  people: readonly Person[],
): Part<Person>[] {
  const byLength = [...people].sort((a, b) => b.name.length - a.name.length);
  const parts: Part<Person>[] = [];
  let end = 0;
  for (let at = note.indexOf('@'); at >= 0; at = note.indexOf('@', at + 1)) {
    const person = WORD.test(note[at - 1] ?? '') ? undefined : byLength.find(({ name }) => isAt(note, at + 1, name));
    if (!person) continue;
    if (at > end) parts.push({ text: note.slice(end, at) });
    end = at + 1 + person.name.length;
    parts.push({ text: note.slice(at, end), person });
  }
  if (end < note.length) parts.push({ text: note.slice(end) });
  return parts;
}

function isAt(note: string, at: number, name: string): boolean {
  const end = at + name.length;
  return name !== '' && note.slice(at, end).toLowerCase() === name.toLowerCase() && !WORD.test(note[end] ?? '');
}
