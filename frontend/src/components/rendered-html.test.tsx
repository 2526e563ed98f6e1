import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RenderedHtml } from './rendered-html'

test('a text is drawn as it is made, its headings below the one of the page', () => {
  render(
    <RenderedHtml
      html={'<h2>Why</h2>\n<p>It <strong>helps</strong>, see <a href="https://a.test/">there</a>.</p><ol start="3">\n<li>three</li>\n</ol><table><thead><tr><th style="text-align:right">n</th></tr></thead></table><p><img src="/api/files/x" alt="A street"></p>'}
    />,
  )
  expect(screen.getByRole('heading', { level: 3, name: 'Why' })).toBeVisible()
  expect(screen.getByText('helps').localName).toBe('strong')
  expect(screen.getByRole('link', { name: 'there' })).toHaveAttribute('rel', 'noopener noreferrer')
  expect(screen.getByRole('list')).toHaveAttribute('start', '3')
  expect(screen.getByRole('columnheader')).toHaveStyle({ textAlign: 'right' })
  expect(screen.getByRole('img', { name: 'A street' })).toHaveAttribute('src', '/api/files/x')
})

test('nothing of it can do anything, even if the server let it through', () => {
  const { container } = render(
    <RenderedHtml
      html={'<p onclick="alert(1)" style="position:fixed">a</p><script>alert(2)</script><iframe src="https://a.test/"></iframe><a href="javascript:alert(3)">b</a><svg onload="alert(4)"></svg>'}
    />,
  )
  expect(container.querySelector('script, iframe, svg, a, [onclick], [onload], [style]')).toBeNull()
  expect(screen.getByText('b')).toBeVisible()
})
