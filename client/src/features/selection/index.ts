// Several chats at once (bulk actions): the boxes in a list, and the bar with what can be done.
export { SelectAllBox, SelectBox, SelectionBar } from './SelectBox.tsx';
export { mayAnswer, SELECTION_SHORTCUTS, type Selected } from './selected.ts';
