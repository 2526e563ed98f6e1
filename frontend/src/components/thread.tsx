import { IconCheck, IconX } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { channelColour } from '@/lib/colours'
import { ChannelIcon } from './channel'
import { StatusBadge, StatusIcon, type Status } from './status'

export type StepState = 'done' | 'active' | 'waiting' | 'retrying' | 'todo' | 'failed'

const knots: Partial<Record<StepState, ReactNode>> = {
  done: <IconCheck size={11} stroke={3.2} />,
  failed: <IconX size={11} stroke={3.2} />,
  retrying: <StatusIcon status="retrying" size={11} />,
  waiting: <StatusIcon status="waiting" size={11} />,
}

interface StepProps {
  state: StepState
  title: ReactNode
  time?: ReactNode
  last?: boolean
  children?: ReactNode
}

/** The live timeline: `Step`s, and one `Strands` for the publishing. */
export function Thread({ children }: { children: ReactNode }) {
  return <ol className="thread">{children}</ol>
}

/** One step: the line after it is solid when done, animated while in progress, dotted while pending. */
export function Step({ state, title, time, last = false, children }: StepProps) {
  return (
    <li className="step" data-state={state} data-last={last || undefined}>
      <span className="step-line" aria-hidden />
      <span className="step-knot" aria-hidden>
        {knots[state]}
      </span>
      <div className="step-body">
        <div className="step-head">
          <span className="step-title">{title}</span>
          {time && <span className="step-time num">{time}</span>}
        </div>
        {children && <div className="step-more">{children}</div>}
      </div>
    </li>
  )
}

export interface Strand {
  id: string
  channel: string
  name: string
  status: Status
  label?: ReactNode
  note: ReactNode
  action?: ReactNode
}

const START = 9 // px from the left, where the thread is
const GAP = 16 // px between strands
const TURN = 24 // px height of a strand's split and join

const place = (index: number) => START + index * GAP

/** Publishing: the line splits into one strand per delivery, in its channel's colour, and joins again. */
export function Strands({ strands, reached = true }: { strands: Strand[]; reached?: boolean }) {
  const gutter = place(strands.length)
  const colour = (strand: Strand) => (reached ? channelColour(strand.channel) : 'var(--pl-line-strong)')
  const before = (strand: Strand) => {
    if (!reached) return { strokeDasharray: '1 6' }
    if (strand.status === 'publishing') return { className: 'stitch' }
    return strand.status === 'retrying' ? { strokeDasharray: '4 5' } : {}
  }
  const after = (strand: Strand) =>
    reached && strand.status === 'published' ? {} : { strokeDasharray: '1 6', strokeOpacity: 0.55 }
  const line = { fill: 'none', strokeWidth: 2.5, strokeLinecap: 'round' } as const
  return (
    <li className="strand-step">
      <div className="strands" style={{ '--strands': strands.length } as CSSProperties}>
        <svg className="strands-turn" width={gutter} height={TURN} aria-hidden="true">
          {strands.map((strand, index) => (
            <path
              key={strand.id}
              {...line}
              {...before(strand)}
              stroke={colour(strand)}
              d={`M${START} 0C${START} ${TURN * 0.8} ${place(index)} ${TURN * 0.1} ${place(index)} ${TURN}`}
            />
          ))}
        </svg>
        <ul>
          {strands.map((strand, row) => (
            <li key={strand.id} className="strand">
              <svg className="strand-lines" width={gutter} height="100%" aria-hidden="true">
                {strands.map((otherStrand, index) => {
                  const x = place(index)
                  const above = index >= row
                  const below = index <= row
                  return (
                    <g key={otherStrand.id} {...line} stroke={colour(otherStrand)}>
                      <line x1={x} x2={x} y1="0" y2="50%" {...(above ? before(otherStrand) : after(otherStrand))} />
                      <line x1={x} x2={x} y1="50%" y2="100%" {...(below ? after(otherStrand) : before(otherStrand))} />
                    </g>
                  )
                })}
                <circle cx={place(row)} cy="50%" r="8" fill="var(--pl-raised)" />
                <circle
                  cx={place(row)}
                  cy="50%"
                  r="5.5"
                  fill={reached && strand.status === 'published' ? colour(strand) : 'var(--pl-raised)'}
                  stroke={colour(strand)}
                  strokeWidth="2.5"
                />
              </svg>
              <ChannelIcon channel={strand.channel} size={20} />
              <div className="grow two-lines">
                <b>{strand.name}</b>
                <small>{strand.note}</small>
              </div>
              {strand.action}
              <StatusBadge status={strand.status} label={strand.label} />
            </li>
          ))}
        </ul>
        <svg className="strands-turn" width={gutter} height={TURN} aria-hidden="true">
          {strands.map((strand, index) => (
            <path
              key={strand.id}
              {...line}
              {...after(strand)}
              stroke={colour(strand)}
              d={`M${place(index)} 0C${place(index)} ${TURN * 0.9} ${START} ${TURN * 0.2} ${START} ${TURN}`}
            />
          ))}
        </svg>
      </div>
    </li>
  )
}
