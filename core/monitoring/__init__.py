"""What monitoring reads: figures about all rows, and the address where a process serves its metrics."""
