import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import type { GreetingFigures } from './contract.ts';

/** The figures of one greeting. */
export type Tally = Pick<GreetingFigures, 'shown' | 'answered'>;

/** The figures of a site's greetings: one document for each site that has had greetings. */
export interface GreetingFiguresDoc {
  /** The site. */
  _id: Types.ObjectId;
  /** By the greeting's id; a figure that is still zero may be absent. */
  greetings?: Record<string, Partial<Tally>>;
}

const figuresSchema = new Schema<GreetingFiguresDoc>(
  { greetings: { type: Schema.Types.Mixed } },
  { versionKey: false },
);
export const GreetingFiguresModel = defineModel<GreetingFiguresDoc>(
  'GreetingFigures',
  figuresSchema,
  'greetingFigures',
);

/** Removes the figures of a deleted site. */
export async function purgeGreetingFigures(site: Types.ObjectId): Promise<void> {
  await GreetingFiguresModel.deleteOne({ _id: site });
}
