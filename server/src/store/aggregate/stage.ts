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

/** The operand of `$skip` or `$limit`. */
export function wholeNumber({ name, operand }: Stage, least: number): number {
  const number = toNumber(operand);
  if (number === undefined || !Number.isInteger(number) || number < least) {
    throw new CommandError(2, `the argument to ${name} must be a whole number of at least ${least}`);
  }
  return number;
}
