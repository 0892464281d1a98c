export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0A6847" />
      <path d="M5 15a11 9 0 0 1 22 0z" fill="#fff" />
      <path
        d="M12.3 15c0-4.600 1.500-8.200 3.700-9 2.200.800 3.700 4.400 3.700 9z"
        fill="#F2B705"
      />
      <path d="M16 4.500v20.500" stroke="#fff" strokeWidth="1.800" strokeLinecap="round" />
      <path
        d="M7.500 20.500h17M9.500 20.500v5.500M22.500 20.500v5.500"
        stroke="#fff"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
