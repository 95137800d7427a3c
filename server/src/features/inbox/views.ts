import { Types } from 'mongoose';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { conflict, duplicateKey, notFound, sentence } from '#platform/http';
import { type InboxFilter, SAVED_VIEWS_MAX, type SavedView } from './contract.ts';
import { type SavedViewsDoc, SavedViewsModel, type ViewDoc } from './model.ts';

declare module '#platform/events' {
  interface Events {
    /** A user has changed the saved views. */
    viewsChanged: { userId: string };
  }
}
events.crossesNodes('viewsChanged');

/** Tries to write while other changes of the same user come between. */
const TRIES_MAX = 5;

/** A name and the filters that it stands for. */
export type ViewForm = InboxFilter & { name: string };

/** The user's views in their order, without those of sites that the user is no longer on. */
export async function viewsOf(user: Types.ObjectId, sites: readonly { _id: Types.ObjectId }[]): Promise<SavedView[]> {
  const savedViews = await SavedViewsModel.findById(user).lean<SavedViewsDoc>();
  const siteIds = new Set(sites.map(({ _id }) => _id.toHexString()));
  return (savedViews?.views ?? []).filter(({ site }) => !site || siteIds.has(site.toHexString())).map(viewView);
}

/** Adds a view at the end. @throws AppError 409 `VIEW_LIMIT_REACHED` */
export function addView(user: Types.ObjectId, form: ViewForm): Promise<void> {
  return change(user, (views) => {
    if (views.length >= SAVED_VIEWS_MAX)
      throw conflict(
        'VIEW_LIMIT_REACHED',
        sentence('You can save up to {max} views. Delete one to add another.', { max: SAVED_VIEWS_MAX }),
      );
    return [...views, { _id: new Types.ObjectId(), ...stored(form) }];
  });
}

/** Replaces a view's name and filters. @throws AppError 404 */
export function replaceView(user: Types.ObjectId, id: string, form: ViewForm): Promise<void> {
  return change(user, (views) => views.with(positionOf(views, id), { _id: new Types.ObjectId(id), ...stored(form) }));
}

/** @throws AppError 404 */
export function removeView(user: Types.ObjectId, id: string): Promise<void> {
  return change(user, (views) => views.toSpliced(positionOf(views, id), 1));
}

/** Puts the views with these ids first, in this order; ids that are unknown are ignored. */
export function orderViews(user: Types.ObjectId, ids: string[]): Promise<void> {
  return change(user, (views) => {
    const wanted = new Map(ids.map((id, at) => [id.toLowerCase(), at]));
    const position = ({ _id }: ViewDoc) => wanted.get(_id.toHexString()) ?? ids.length;
    return views.toSorted((a, b) => position(a) - position(b));
  });
}

/** Removes all views of a deleted account. */
export async function removeViewsOf(user: Types.ObjectId): Promise<void> {
  await removeOne(SavedViewsModel, { _id: user });
}

/** Changes the list with optimistic locking, and tells the user's dashboards. */
async function change(user: Types.ObjectId, edit: (views: ViewDoc[]) => ViewDoc[]): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const savedViews = await SavedViewsModel.findById(user).lean<SavedViewsDoc>();
    if (!(await write(user, savedViews, edit(savedViews?.views ?? [])))) continue;
    await events.emit('viewsChanged', { userId: user.toHexString() });
    return;
  }
  throw conflict(
    'VIEWS_CHANGED',
    sentence('Your views were changed somewhere else at the same time. Please try again.'),
  );
}

async function write(user: Types.ObjectId, savedViews: SavedViewsDoc | null, views: ViewDoc[]): Promise<boolean> {
  if (savedViews) {
    const filter = { _id: user, rev: savedViews.rev };
    const { matchedCount } = await SavedViewsModel.updateOne(filter, { $set: { views }, $inc: { rev: 1 } });
    return matchedCount === 1;
  }
  try {
    await SavedViewsModel.create({ _id: user, views, rev: 1 });
    return true;
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    return false;
  }
}

function positionOf(views: ViewDoc[], id: string): number {
  const at = views.findIndex(({ _id }) => _id.equals(id));
  if (at < 0) throw notFound('view');
  return at;
}

function stored({ name, siteId, ...filter }: ViewForm): Omit<ViewDoc, '_id'> {
  const { status, claimedBy, unread, tag, department, sort } = filter;
  return {
    name,
    ...(siteId !== undefined && { site: new Types.ObjectId(siteId) }),
    ...given({ status, claimedBy, unread, tag, department, sort }),
  };
}

function viewView({ _id, name, site, status, claimedBy, unread, tag, department, sort }: ViewDoc): SavedView {
  return {
    _id: _id.toHexString(),
    name,
    ...(site && { siteId: site.toHexString() }),
    ...given({ status, claimedBy, unread, tag, department, sort }),
  };
}

/** The fields that are set. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
