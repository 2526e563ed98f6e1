// Runs before the code of the app is there, which takes longer to load than the server to answer: asks at once for what
// the page is certain to ask for first. src/lib/early-requests.ts hands the answers out.
{
  const ask = (token, path) =>
    fetch(path, { headers: { Authorization: `Bearer ${token}` } }).catch(() => undefined) // the app asks again, and tells
  let token = null
  try {
    token = localStorage.getItem('token')
  } catch {
    // storage is blocked: nobody is signed in
  }
  if (token) {
    const paths = ['/api/users/me/']
    const tree = location.pathname === '/topics' && new URLSearchParams(location.search).get('tree')
    if (tree && /^[0-9a-f-]{36}$/i.test(tree)) paths.push(`/api/topics/${tree}/`, `/api/topics/${tree}/suggestions/`)
    window.earlyRequests = { token, answers: new Map(paths.map((path) => [path, ask(token, path)])) }
  }
  // the first one in a process reads the browser's tables for 30 to 50 ms: here, while everybody waits for the network
  new Intl.NumberFormat()
}
