/** The drawn picture of the example post: an umbrella in a rainy town. */
export function RainPicture() {
  return (
    <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" width="100%" height="100%" aria-hidden="true">
      <rect width="400" height="300" fill="#b9cfd8" />
      <path d="M0 220H400V300H0Z" fill="#28505f" />
      <path d="M60 120h52v100H60zM128 86h58v134h-58zM206 138h64v82h-64zM286 100h60v120h-60z" fill="#5d8597" />
      {Array.from({ length: 34 }, (_, index) => (
        <path
          key={index}
          d={`M${(index * 53) % 400} ${(index * 37) % 210}l-9 26`}
          stroke="#fff"
          strokeWidth="2"
          opacity=".6"
        />
      ))}
      <path d="M150 222a52 52 0 0 1 104 0Z" fill="#f5c75a" />
      <path d="M202 222v42a9 9 0 0 0 18 0" fill="none" stroke="#fff" strokeWidth="5" />
    </svg>
  )
}
