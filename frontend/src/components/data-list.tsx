import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  numeric?: boolean
  /** The place on a phone's card: in order at the start, at the end of the line, full width, or hidden. */
  card?: 'start' | 'end' | 'wide' | 'hidden'
  /** Label on a card, which has no headings; only if the value needs one. */
  named?: string
  /** Hidden in narrow tables: the row's page shows it. */
  spare?: boolean
}

interface DataListProps<Row> {
  /** The table's name for screen readers. */
  label: string
  /** The first one names the row: a `Link` with the class `rowlink` makes the whole row clickable. */
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A table in one panel; a list of cards on phones. */
export function DataList<Row>({ label, columns, rows, rowKey }: DataListProps<Row>) {
  return (
    <div className="panel">
      {/* explicit roles: a table with another CSS `display` (on phones) loses its own */}
      <table className="dlist" aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.key} scope="col" role="columnheader" data-numeric={column.numeric || undefined} data-spare={column.spare || undefined}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <td
                  key={column.key}
                  role="cell"
                  data-numeric={column.numeric || undefined}
                  data-card={column.card}
                  data-name={column.named}
                  data-spare={column.spare || undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
