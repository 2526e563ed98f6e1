import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { diffBodies, foldRows, type DiffRow, type Piece } from './version-diff'

const WIDE = '(min-width: 62em)'

/** Two texts line by line: beside one another where there is room, one below the other on phones. */
export function DiffView({ older, newer, label }: { older: string; newer: string; label: string }) {
  const { t } = useTranslation(['common', 'templates'])
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const parts = useMemo(() => foldRows(diffBodies(older, newer)), [older, newer])
  if (older === newer) return <p className="field-note">{t('templates:versions.sameText')}</p>
  return (
    <div className="diff-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="diff" data-split={wide || undefined}>
        <colgroup>
          <col className="diff-numbers" />
          <col className={wide ? undefined : 'diff-numbers'} />
          {wide && <col className="diff-numbers" />}
          <col />
        </colgroup>
        <tbody>
          {parts.map((part, index) =>
            part.folded && !unfolded.has(index) ? (
              <tr key={index} className="diff-fold">
                <td colSpan={wide ? 4 : 3}>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    onClick={() => setUnfolded(new Set(unfolded).add(index))}
                  >
                    {t('templates:versions.unchangedLines', { count: part.rows.length })}
                  </Button>
                </td>
              </tr>
            ) : (
              part.rows.flatMap((row, at) => (wide ? [<Split key={`${index}.${at}`} row={row} />] : lines(row, `${index}.${at}`)))
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

function Split({ row: { kind, older, newer } }: { row: DiffRow }) {
  return (
    <tr>
      <td className="diff-number">{older?.number}</td>
      <td className="diff-line" data-kind={kind === 'same' ? undefined : older ? 'removed' : 'none'}>
        {older && <Line kind={kind === 'same' ? 'same' : 'removed'} pieces={older.pieces} />}
      </td>
      <td className="diff-number">{newer?.number}</td>
      <td className="diff-line" data-kind={kind === 'same' ? undefined : newer ? 'added' : 'none'}>
        {newer && <Line kind={kind === 'same' ? 'same' : 'added'} pieces={newer.pieces} />}
      </td>
    </tr>
  )
}

function lines({ kind, older, newer }: DiffRow, key: string) {
  if (kind === 'same')
    return [
      <tr key={key}>
        <td className="diff-number">{older?.number}</td>
        <td className="diff-number">{newer?.number}</td>
        <td className="diff-line">{newer && <Line kind="same" pieces={newer.pieces} />}</td>
      </tr>,
    ]
  return [
    older && (
      <tr key={`${key}-`}>
        <td className="diff-number">{older.number}</td>
        <td className="diff-number" />
        <td className="diff-line" data-kind="removed">
          <Line kind="removed" pieces={older.pieces} />
        </td>
      </tr>
    ),
    newer && (
      <tr key={`${key}+`}>
        <td className="diff-number" />
        <td className="diff-number">{newer.number}</td>
        <td className="diff-line" data-kind="added">
          <Line kind="added" pieces={newer.pieces} />
        </td>
      </tr>
    ),
  ]
}

const signs = { same: ' ', added: '+', removed: '−' } as const

/** The sign and the word for it say what the colour says. */
function Line({ kind, pieces }: { kind: Piece['kind']; pieces: readonly Piece[] }) {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <>
      <span className="diff-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      {kind !== 'same' && <span className="vh">{t(`templates:versions.${kind}`)} </span>}
      <span className="diff-text">
        {pieces.map((piece, index) => {
          // a whole line needs no marks inside
          if (piece.kind === 'same' || pieces.length === 1) return <span key={index}>{piece.text}</span>
          return piece.kind === 'added' ? <ins key={index}>{piece.text}</ins> : <del key={index}>{piece.text}</del>
        })}
      </span>
    </>
  )
}
