import './server-words.css'

/** A provider's own error message, in its language, for the user who has to fix the problem. */
export function ServerWords({ children }: { children: string }) {
  return (
    <code className="server-words" lang="">
      {children}
    </code>
  )
}
