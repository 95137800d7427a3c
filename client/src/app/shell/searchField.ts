export const SEARCH_PLACEHOLDER = 'Search chats, sites, or team members...';

/** The looks of the search field, before and after it can search. */
export const SEARCH_FIELD =
  'h-10 w-full rounded-control border bg-background pr-14 pl-9 text-ellipsis max-sm:text-base [&::-webkit-search-cancel-button]:hidden';
