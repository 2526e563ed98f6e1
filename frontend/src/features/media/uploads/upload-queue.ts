import type { UploadOut } from '@/api/types.gen'
import { kindOfFile } from '@/features/media/file-kinds'
import { toProblem, type Problem } from '@/lib/problems'

/** `checking`: the file is sent, and the server decodes it. `known`: the library had it already. */
export type UploadState = 'waiting' | 'sending' | 'checking' | 'done' | 'known' | 'failed' | 'cancelled'

export interface Upload {
  id: number
  name: string
  bytes: number
  state: UploadState
  /** The sent share, from 0 to 1. */
  sent: number
  problem?: Problem
  image?: UploadOut
}

/** Send one file. Throw a `Problem`; stop when the signal aborts. */
export type Send = (file: File, signal: AbortSignal, onSent: (share: number) => void) => Promise<UploadOut>

const AT_ONCE = 3
const RUNNING: readonly UploadState[] = ['sending', 'checking']
const OPEN: readonly UploadState[] = ['waiting', ...RUNNING]

export const isOpen = ({ state }: Upload) => OPEN.includes(state)

/** A queue that sends files in order, a few at a time; of videos one, since the server takes one at a time of a user. */
export class UploadQueue {
  private uploads: readonly Upload[] = []
  private readonly files = new Map<number, File>()
  private readonly stops = new Map<number, AbortController>()
  private readonly watchers = new Set<() => void>()
  private readonly send: Send
  private nextId = 1

  constructor(send: Send) {
    this.send = send
  }

  /** Return the uploads, for `useSyncExternalStore`: the same list until something changes. */
  read = () => this.uploads

  watch = (changed: () => void): (() => void) => {
    this.watchers.add(changed)
    return () => this.watchers.delete(changed)
  }

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => {
      const id = this.nextId++
      this.files.set(id, file)
      return { id, name: file.name, bytes: file.size, state: 'waiting', sent: 0 }
    })
    this.show([...this.uploads, ...added])
    this.startWaiting()
  }

  cancel(id: number): void {
    const upload = this.uploads.find((candidate) => candidate.id === id)
    if (!upload || !isOpen(upload)) return
    this.change(id, { state: 'cancelled', sent: 0 })
    this.stops.get(id)?.abort()
    this.startWaiting()
  }

  cancelAll(): void {
    // waiting uploads first, or each would start when the one before ends
    for (const { id } of this.uploads.filter(({ state }) => state === 'waiting')) this.cancel(id)
    for (const { id } of this.uploads.filter(isOpen)) this.cancel(id)
  }

  /** Retry a failed or cancelled upload. */
  retry(id: number): void {
    const upload = this.uploads.find((candidate) => candidate.id === id)
    if (upload?.state !== 'failed' && upload?.state !== 'cancelled') return
    this.change(id, { state: 'waiting', sent: 0, problem: undefined })
    this.startWaiting()
  }

  /** Remove finished uploads. */
  clear(): void {
    const open = this.uploads.filter(isOpen)
    for (const { id } of this.uploads) if (!open.some((candidate) => candidate.id === id)) this.files.delete(id)
    this.show(open)
  }

  private startWaiting(): void {
    const running = this.uploads.filter(({ state }) => RUNNING.includes(state))
    let free = AT_ONCE - running.length
    let videoRuns = running.some(({ id }) => this.isVideo(id))
    for (const { id } of this.uploads.filter(({ state }) => state === 'waiting')) {
      const isVideo = this.isVideo(id)
      if (free <= 0 || (isVideo && videoRuns)) continue
      free -= 1
      videoRuns ||= isVideo
      void this.start(id)
    }
  }

  private isVideo(id: number): boolean {
    const file = this.files.get(id)
    return file !== undefined && kindOfFile(file) === 'video'
  }

  private async start(id: number): Promise<void> {
    const file = this.files.get(id)
    if (!file) return
    const stop = new AbortController()
    this.stops.set(id, stop)
    this.change(id, { state: 'sending' })
    // a late result of a stopped call must not change an upload that was restarted
    const report = (changes: Partial<Upload>) => {
      if (!stop.signal.aborted) this.change(id, changes)
    }
    try {
      const image = await this.send(file, stop.signal, (sent) =>
        report({ sent, state: sent < 1 ? 'sending' : 'checking' }),
      )
      report({ state: image.duplicate ? 'known' : 'done', sent: 1, image })
    } catch (error) {
      report({ state: 'failed', problem: toProblem(error) })
    }
    this.startWaiting()
  }

  private change(id: number, changes: Partial<Upload>): void {
    this.show(this.uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  }

  private show(uploads: readonly Upload[]): void {
    this.uploads = uploads
    for (const changed of this.watchers) changed()
  }
}
