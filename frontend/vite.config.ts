import react from '@vitejs/plugin-react'
import { visualizer } from 'rollup-plugin-visualizer'
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  plugins: [react(), mode === 'analyze' && visualizer({ filename: 'stats.json', template: 'raw-data', gzipSize: true })],
  resolve: { alias: { '@': `${import.meta.dirname}/src` } },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8000' } },
  // every asset is a file of our own origin, so that the content security policy needs no data: addresses
  build: { assetsInlineLimit: 0 },
  test: {
    environment: 'jsdom',
    setupFiles: './src/test/setup.ts',
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    testTimeout: 15_000, // ms
  },
}))
