import { type ComponentProps, Fragment, type ReactNode, useRef } from 'react';
import { useVirtualRows } from './virtualRows.ts';

/** What a row of a long list gives to its list item. */
export type VirtualRowProps = ComponentProps<'li'> & { 'data-index'?: number };

interface LongListProps<Row> {
  as?: 'ul' | 'ol';
  label: string;
  className?: string;
  rows: readonly Row[];
  /** About the height of a row, until it is measured. */
  rowHeight: number;
  /** Draws a row: a list item that is given its place. */
  row: (row: Row, place: VirtualRowProps) => ReactNode;
}

/** A list without end: past a hundred rows only those near the screen are drawn. */
export function VirtualList<Row extends { _id: string }>({
  as: List = 'ul',
  label,
  className,
  rows,
  rowHeight,
  row,
}: LongListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const { shown, from, above, below, measure } = useVirtualRows(box, rows, rowHeight);
  const placeOf = (index: number): VirtualRowProps =>
    measure ? { ref: measure, 'data-index': index, 'aria-posinset': index + 1, 'aria-setsize': rows.length } : {};
  // The room of what is not drawn stands beside the list: a list that changes its own would not keep its place.
  return (
    <div ref={box}>
      <div style={{ height: above }} />
      <List aria-label={label} className={className}>
        {shown.map((each, index) => (
          <Fragment key={each._id}>{row(each, placeOf(from + index))}</Fragment>
        ))}
      </List>
      <div style={{ height: below }} />
    </div>
  );
}
