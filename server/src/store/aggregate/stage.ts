import { isDoc, toNumber } from '../bson/values.ts';
import { CommandError } from '../errors.ts';

/** One stage of a pipeline: its name and what it is given. */
export interface Stage {
  name: string;
  operand: unknown;
}

export function readStage(stage: unknown): Stage {
  if (!isDoc(stage)) throw new CommandError(14, "Each element of the 'pipeline' array must be an object");
  const [name, second] = Object.keys(stage);
  if (name === undefined || second !== undefined) {
    throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  return { name, operand: stage[name] };
}

/** The operand of `$count`: the name of the one field that it gives. */
export function countField(operand: unknown): string {
  if (typeof operand !== 'string') throw new CommandError(40156, 'the count field must be a non-empty string');
  if (operand === '') throw new CommandError(40157, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) throw new CommandError(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) throw new CommandError(40160, "the count field cannot contain '.'");
  return operand;
}

/** The operand of `$skip` or `$limit`. */
export function wholeNumber({ name, operand }: Stage, least: number): number {
  const number = toNumber(operand);
  if (number === undefined || !Number.isInteger(number) || number < least) {
    const isLimit = name === '$limit' && number !== undefined && number <= 0;
    throw new CommandError(isLimit ? 15958 : 2, `the argument to ${name} must be a whole number of at least ${least}`);
  }
  return number;
}
