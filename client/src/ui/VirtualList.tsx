import { type ComponentProps, Fragment, type ReactNode, useRef } from 'react';
import { useVirtualRows } from './virtualRows.ts';

/** The props for the list item of a row. */
export type VirtualRowProps = ComponentProps<'li'> & { 'data-index'?: number };

interface LongListProps<Row> {
  as?: 'ul' | 'ol';
  label: string;
  className?: string;
  rows: readonly Row[];
  /** About the height of a row, until it is measured. */
  rowHeight: number;
  /** Renders a row as a list item with these props. */
  row: (row: Row, place: VirtualRowProps) => ReactNode;
}

/** A virtualised list: beyond a hundred rows, only those near the viewport are rendered. */
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
  // The spacers are siblings of the list: browsers keep the scroll position only if the list itself does not change its padding.
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
