import './server-words.css'

/** What a provider said of a failure, in its own language: for whoever has to mend it. */
export function ServerWords({ children }: { children: string }) {
  return (
    <code className="server-words" lang="">
      {children}
    </code>
  )
}
