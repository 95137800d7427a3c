import { msg } from '../../lib/i18n.ts';

export const SEARCH_PLACEHOLDER = msg('Search chats, sites, or team members...');

/** Styles shared by the search box and the field that keeps its place. */
export const SEARCH_FIELD =
  'h-10 w-full rounded-control border bg-background pe-14 ps-9 text-ellipsis max-sm:text-base [&::-webkit-search-cancel-button]:hidden';
